// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <map>
#include <stop_token>
#include <string>

#include "experiments/result.h"

namespace kvist::experiments {

/// SHA-256 of files in hex, each read once while its size and time stay the same. One thread at a time.
class FileHash {
public:
    /// Refused with the reason where the file cannot be read or a stop was requested.
    Result<std::string> of(const std::string& path, std::stop_token stop = {});

private:
    struct Entry {
        qint64 size;
        QDateTime modified;
        std::string hash;
    };
    std::map<std::string, Entry> m_known;
};

}  // namespace kvist::experiments
