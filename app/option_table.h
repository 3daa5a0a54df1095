// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.h"

namespace kvist::app {

/// One option: the parser, the help text and the "did you mean" are made from it.
struct OptionInfo {
    std::string name;                 ///< without the dashes
    std::string value;                ///< name of its value in the help ("SWEEP.json"), empty for a switch
    std::optional<Command> command;   ///< the command that it chooses
    std::vector<Command> usableWith;  ///< the commands that it belongs to, where it chooses none
    std::string help;
    /// Stores the value; throws experiments::RefusedInput for one that cannot be.
    std::function<void(CommandLine&, const std::string&)> store;
};

/// Every option in the order of the help text.
const std::vector<OptionInfo>& optionTable();

/// Null for an unknown name.
const OptionInfo* findOption(const std::string& name);

}  // namespace kvist::app
