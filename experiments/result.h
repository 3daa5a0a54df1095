// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace kvist::experiments {

/// Why something that a user gave was not taken.
struct Refusal {
    std::string key;      ///< field in the manner of a sweep file ("policies[1].parameters.sinks"); may be empty
    std::string message;  ///< what was given and what would be right, with the line where there is one
};

/// A value, or the reason why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_content(std::move(value)) {}
    Result(Refusal refusal) : m_content(std::move(refusal)) {}

    explicit operator bool() const { return std::holds_alternative<T>(m_content); }
    const T& operator*() const& { return std::get<T>(m_content); }
    T&& operator*() && { return std::get<T>(std::move(m_content)); }
    const T* operator->() const { return &std::get<T>(m_content); }
    const Refusal& refusal() const { return std::get<Refusal>(m_content); }

private:
    std::variant<T, Refusal> m_content;
};

/// Carries a refusal through nested reading; never leaves this folder.
class RefusedInput : public std::runtime_error {
public:
    RefusedInput(std::string key, const std::string& message) : std::runtime_error(message), m_key(std::move(key)) {}
    Refusal refusal() const { return {m_key, what()}; }

private:
    std::string m_key;
};

/// The value, or RefusedInput with `key` as the field.
template <typename T>
T valueOrThrow(Result<T> result, const std::string& key) {
    if (!result) {
        throw RefusedInput(key, result.refusal().message);
    }
    return *std::move(result);
}

}  // namespace kvist::experiments
