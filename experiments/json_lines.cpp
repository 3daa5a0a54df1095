// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/json_lines.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/result.h"

namespace kvist::experiments {
namespace {

/// Feeds the parser and counts the lines that it has read.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* position, int* line) : m_position(position), m_line(line) {}
    reference operator*() const { return *m_position; }
    CountingIterator& operator++() {
        *m_line += *m_position == '\n';
        ++m_position;
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return m_position == other.m_position; }

private:
    const char* m_position;
    int* m_line;
};

class LineRecorder : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit LineRecorder(const int& line) : m_line(line) {}

    std::map<std::string, int> lines;

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return open(false); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

    bool key(string_t& name) override {
        m_levels.back().name = name;
        if (!lines.emplace(pointer(), m_line).second) {
            throw RefusedInput(name, "line " + std::to_string(m_line) + ": " + name + " is given twice");
        }
        return true;
    }

private:
    struct Level {
        bool isArray;
        std::size_t index;
        std::string name;
    };

    std::string pointer() const {
        std::string text;
        for (const Level& level : m_levels) {
            text += "/" + (level.isArray ? std::to_string(level.index) : level.name);
        }
        return text;
    }
    bool isElement() const { return !m_levels.empty() && m_levels.back().isArray; }
    bool value() {
        if (isElement()) {
            lines.emplace(pointer(), m_line);
            ++m_levels.back().index;
        }
        return true;
    }
    bool open(bool isArray) {
        if (isElement()) {
            lines.emplace(pointer(), m_line);
        }
        m_levels.push_back({isArray, 0, {}});
        return true;
    }
    bool close() {
        m_levels.pop_back();
        if (isElement()) {
            ++m_levels.back().index;
        }
        return true;
    }

    const int& m_line;
    std::vector<Level> m_levels;
};

}  // namespace

std::map<std::string, int> jsonLines(std::string_view json) {
    int line = 1;
    LineRecorder recorder(line);
    nlohmann::json::sax_parse(CountingIterator(json.data(), &line), CountingIterator(json.data() + json.size(), &line),
                              &recorder);
    return std::move(recorder.lines);
}

}  // namespace kvist::experiments
