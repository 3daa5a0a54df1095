// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/prediction_store.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ostream>
#include <system_error>
#include <vector>

#include "engine/api/engine_error.h"
#include "engine/runtime/content_hash.h"
#include "engine/runtime/mapped_file.h"
#include "engine/runtime/replace_file.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kMagic = {'K', 'V', 'P', 'R', 'E', 'D', '0', '1'};
constexpr const char* kSuffix = ".predictions";
constexpr std::size_t kDigestLength = 32;

struct Header {
    std::array<char, 8> magic = kMagic;
    std::int64_t rows = 0;
    std::int64_t vocabulary = 0;
    std::int64_t top = 0;
};

std::span<const std::byte> bytesOf(const at::Tensor& tensor) {
    return {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

std::string digestOf(std::span<const std::byte> bytes) {
    ContentHash hash;
    hash.add(bytes);
    return hash.digest();
}

void write(std::ostream& file, const PredictionLog& log) {
    const Header header{.rows = log.rows(), .vocabulary = log.vocabulary(), .top = log.top()};
    ContentHash hash;
    const auto put = [&](std::span<const std::byte> bytes) {
        hash.add(bytes);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    put(std::as_bytes(std::span(&header, 1)));
    for (const at::Tensor& tensor : log.tensors()) {
        put(bytesOf(tensor));
    }
    file << hash.digest();
}

/// None where size or digest say that the file is not what was written.
std::optional<PredictionLog> read(const fs::path& path) {
    const MappedFile file(path);
    const auto bytes = file.bytes();
    Header header;
    if (bytes.size() < sizeof(header) + kDigestLength) {
        return std::nullopt;
    }
    const auto content = bytes.first(bytes.size() - kDigestLength);
    const std::string digest(reinterpret_cast<const char*>(bytes.data() + content.size()), kDigestLength);
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (header.magic != kMagic || digestOf(content) != digest) {
        return std::nullopt;
    }
    PredictionLog log(header.rows, header.vocabulary, header.top);
    if (content.size() != sizeof(header) + static_cast<std::size_t>(log.bytes())) {
        return std::nullopt;
    }
    std::size_t at = sizeof(header);
    for (const at::Tensor& tensor : log.tensors()) {
        std::copy_n(content.data() + at, tensor.nbytes(), static_cast<std::byte*>(tensor.data_ptr()));
        at += tensor.nbytes();
    }
    log.setLogged(header.rows);
    return log;
}

}  // namespace

fs::path PredictionStore::fileOf(const std::string& key) const {
    return m_folder / (key + kSuffix);
}

std::optional<PredictionLog> PredictionStore::find(const std::string& key) const {
    std::error_code error;
    if (m_folder.empty() || !fs::is_regular_file(fileOf(key), error)) {
        return std::nullopt;
    }
    try {
        auto log = read(fileOf(key));
        if (log) {
            fs::last_write_time(fileOf(key), fs::file_time_type::clock::now(), error);
        }
        return log;
    } catch (const EngineError&) {
        return std::nullopt;
    }
}

bool PredictionStore::save(const std::string& key, const PredictionLog& log) const {
    if (m_folder.empty() || log.logged() != log.rows() || log.bytes() > m_limit) {
        return false;
    }
    makeRoom(log.bytes());
    return replaceFile(fileOf(key), [&](std::ostream& file) { write(file, log); });
}

void PredictionStore::makeRoom(std::int64_t bytes) const {
    struct Held {
        fs::file_time_type used;
        fs::path path;
        std::int64_t bytes;
    };
    std::vector<Held> files;
    std::int64_t sum = bytes;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, error)) {
        if (entry.path().extension() == kSuffix) {
            files.push_back(
                {entry.last_write_time(error), entry.path(), static_cast<std::int64_t>(entry.file_size(error))});
            sum += files.back().bytes;
        }
    }
    std::sort(files.begin(), files.end(), [](const Held& a, const Held& b) { return a.used < b.used; });
    for (auto oldest = files.begin(); sum > m_limit && oldest != files.end(); ++oldest) {
        fs::remove(oldest->path, error);
        sum -= oldest->bytes;
    }
}

}  // namespace kvist
