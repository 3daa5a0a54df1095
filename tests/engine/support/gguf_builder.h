// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace kvist::testing {

/// Puts a GGUF file together field by field, right or wrong (docs/gguf.md of ggml).
class GgufBuilder {
public:
    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> extents;  ///< innermost first, as the file has them
        std::uint32_t type = 0;
        std::string data;
        std::optional<std::uint64_t> offset = std::nullopt;  ///< instead of the next free one
    };

    std::uint32_t version = 3;
    std::optional<std::uint64_t> tensorCount;  ///< instead of the true one
    std::optional<std::uint64_t> valueCount;
    std::uint64_t alignment = 32;
    std::vector<Tensor> tensors;

    template <typename Number>
    static std::string raw(Number number) {
        std::string bytes(sizeof number, '\0');
        std::memcpy(bytes.data(), &number, sizeof number);
        return bytes;
    }
    static std::string rawText(const std::string& text) { return raw(std::uint64_t{text.size()}) + text; }

    /// A value of any kind with exactly these bytes.
    GgufBuilder& value(const std::string& key, std::uint32_t kind, const std::string& bytes) {
        m_values += rawText(key) + raw(kind) + bytes;
        ++m_count;
        return *this;
    }
    GgufBuilder& number(const std::string& key, std::uint32_t value_) { return value(key, 4, raw(value_)); }
    GgufBuilder& real(const std::string& key, float value_) { return value(key, 6, raw(value_)); }
    GgufBuilder& text(const std::string& key, const std::string& text) { return value(key, 8, rawText(text)); }
    GgufBuilder& texts(const std::string& key, const std::vector<std::string>& texts) {
        std::string bytes = raw(std::uint32_t{8}) + raw(std::uint64_t{texts.size()});
        for (const std::string& one : texts) {
            bytes += rawText(one);
        }
        return value(key, 9, bytes);
    }
    GgufBuilder& numbers(const std::string& key, const std::vector<std::int32_t>& numbers) {
        std::string bytes = raw(std::uint32_t{5}) + raw(std::uint64_t{numbers.size()});
        for (const std::int32_t one : numbers) {
            bytes += raw(one);
        }
        return value(key, 9, bytes);
    }

    std::string bytes() const {
        std::string table;
        std::string data;
        for (const Tensor& tensor : tensors) {
            table += rawText(tensor.name) + raw(static_cast<std::uint32_t>(tensor.extents.size()));
            for (const std::uint64_t extent : tensor.extents) {
                table += raw(extent);
            }
            table += raw(tensor.type) + raw(tensor.offset.value_or(data.size()));
            data += padded(tensor.data);
        }
        const std::string header = "GGUF" + raw(version) + raw(tensorCount.value_or(tensors.size())) +
                                   raw(valueCount.value_or(m_count)) + m_values + table;
        return padded(header) + data;
    }

private:
    std::string padded(std::string bytes) const {
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
        return bytes;
    }

    std::string m_values;
    std::uint64_t m_count = 0;
};

}  // namespace kvist::testing
