// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "experiments/result.h"

namespace kvist::experiments {

/// A file of a repository on the hub.
struct HubFile {
    QString name;
    qint64 size = 0;
    QString checksum;      ///< hex, also its name among the blobs of the cache
    bool isLarge = false;  ///< the checksum is SHA-256 of the content; otherwise git's SHA-1 of a blob
};

/// What a repository held at a commit.
struct HubListing {
    QString commit;  ///< 40 hex digits
    std::vector<HubFile> files;
};

/// What to fetch.
struct HubRequest {
    QString repository;                         ///< "Qwen/Qwen2.5-0.5B"
    QString revision = QStringLiteral("main");  ///< branch, tag or commit
    QString file;                               ///< a GGUF file of the repository; empty for the safetensors model
};

/// Refuses what is no "owner/name", no branch, tag or commit, or no plain GGUF file name.
Result<HubRequest> checkedRequest(HubRequest request);

/// From the answer of "/api/models/…?blobs=true". Files whose names leave the folder or that have no checksum are left
/// out; refuses what is no such answer.
Result<HubListing> parseListing(const QByteArray& json);

/// The files of a listing that the model consists of: configuration, tokenizer and safetensors, or the GGUF file that
/// is asked for with all its parts. Refuses repositories without them, naming the GGUF files that are there.
Result<std::vector<HubFile>> neededFiles(const HubListing& listing, const HubRequest& request);

}  // namespace kvist::experiments
