// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/evaluate/prediction_log.h"

namespace kvist {

/// Keeps logs of predictions as files of a folder, one for each key, so that they outlive the program. Files are
/// written whole or not at all; a damaged one counts as missing. Where all together exceed the limit, those that were
/// used longest ago go.
class PredictionStore {
public:
    static constexpr std::int64_t kUsualLimit = std::int64_t{2} << 30;

    /// An empty folder name keeps nothing.
    explicit PredictionStore(std::filesystem::path folder, std::int64_t limit = kUsualLimit)
        : m_folder(std::move(folder)), m_limit(limit) {}

    std::optional<PredictionLog> find(const std::string& key) const;

    /// False where nothing is kept: no folder, a log larger than the limit, or a disk that refuses it.
    bool save(const std::string& key, const PredictionLog& log) const;

private:
    std::filesystem::path fileOf(const std::string& key) const;
    void makeRoom(std::int64_t bytes) const;

    const std::filesystem::path m_folder;
    const std::int64_t m_limit;
};

}  // namespace kvist
