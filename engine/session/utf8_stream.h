// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kvist {

/// Turns bytes that may break inside a UTF-8 character into pieces that do not.
class Utf8Stream {
public:
    /// Adds bytes and returns what is complete now. Bytes that can never become a character pass unchanged.
    std::string push(std::string_view bytes);

    /// What is left over.
    std::string finish();

private:
    std::string m_pending;
};

}  // namespace kvist
