// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "experiments/hub/hub_listing.h"

namespace kvist::experiments {

/// A repository's place in the Hugging Face cache: blobs by checksum, snapshots of links, references. Other programs
/// that use the cache find what is put here.
class HubCache {
public:
    HubCache(const QString& cache, const HubRequest& request);

    /// models--owner--name
    const QString& folder() const { return m_folder; }
    QString blobPath(const HubFile& file) const;
    /// What has come of a file so far.
    QString partPath(const HubFile& file) const { return blobPath(file) + QStringLiteral(".incomplete"); }
    bool has(const HubFile& file) const;

    /// Bytes of these files that are still to come.
    qint64 missingBytes(const std::vector<HubFile>& files) const;
    /// Bytes free on the disk; the largest number where the system does not say.
    qint64 freeBytes() const;

    /// Makes the folders. Refuses with the reason where that fails.
    Result<bool> prepare() const;
    /// Links the files into the commit's snapshot, notes the reference and returns the path to open.
    Result<QString> finish(const HubListing& listing, const std::vector<HubFile>& files) const;

private:
    HubRequest m_request;
    QString m_folder;
};

}  // namespace kvist::experiments
