// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <algorithm>
#include <sstream>

#include "app/option_table.h"
#include "engine/api/nearest_name.h"

namespace kvist::app {
namespace {

using experiments::RefusedInput;

std::string dashed(const OptionInfo& option) {
    return "--" + option.name + (option.value.empty() ? "" : " " + option.value);
}

const OptionInfo& optionFor(const std::string& name) {
    if (const OptionInfo* option = findOption(name)) {
        return *option;
    }
    std::vector<std::string> known;
    for (const OptionInfo& option : optionTable()) {
        known.push_back(option.name);
    }
    const std::string nearest = nearestName(name, known);
    throw RefusedInput(name, "unknown option --" + name + (nearest.empty() ? "" : "; did you mean --" + nearest + "?"));
}

std::string nameOf(Command command) {
    for (const OptionInfo& option : optionTable()) {
        if (option.command == command) {
            return "--" + option.name;
        }
    }
    return "the window";
}

/// Options met so far, in order, so that each can be checked once the command is known.
class Parser {
public:
    CommandLine parse(const std::vector<std::string>& arguments) {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const std::string& argument = arguments[i];
            if (argument == "-h") {
                choose(*findOption("help"));
            } else if (argument.size() > 1 && argument[0] == '-') {
                takeOption(argument, arguments, i);
            } else {
                m_files.push_back(argument);
            }
        }
        check();
        return m_line;
    }

private:
    void takeOption(const std::string& argument, const std::vector<std::string>& arguments, std::size_t& i) {
        const std::size_t equals = argument.find('=');
        const bool isLong = argument.compare(0, 2, "--") == 0;
        if (!isLong && findOption(argument.substr(1, equals - 1)) == nullptr) {
            throw RefusedInput(argument, "unknown option " + argument + "; all but -h begin with two dashes");
        }
        const OptionInfo& option = optionFor(argument.substr(isLong ? 2 : 1, equals - (isLong ? 2 : 1)));
        if (!isLong) {
            throw RefusedInput(option.name, "unknown option " + argument + "; did you mean --" + option.name + "?");
        }
        std::string value;
        if (option.value.empty()) {
            if (equals != std::string::npos) {
                throw RefusedInput(option.name, "--" + option.name + " takes no value");
            }
        } else if (equals != std::string::npos) {
            value = argument.substr(equals + 1);
        } else if (i + 1 < arguments.size() && !isOption(arguments[i + 1])) {
            value = arguments[++i];
        } else {
            throw RefusedInput(option.name, "a value is missing: " + dashed(option));
        }
        if (option.command) {
            choose(option);
        }
        option.store(m_line, value);
        m_options.push_back(&option);
    }

    /// A value that looks like an option is written as --name=--value.
    static bool isOption(const std::string& argument) {
        return argument.starts_with("--") && findOption(argument.substr(2, argument.find('=') - 2)) != nullptr;
    }

    void choose(const OptionInfo& option) {
        if (m_chosen && m_chosen != &option) {
            throw RefusedInput(option.name, "--" + m_chosen->name + " and --" + option.name + " exclude each other");
        }
        m_chosen = &option;
        m_line.command = *option.command;
    }

    void check() {
        for (const OptionInfo* option : m_options) {
            const std::vector<Command>& allowed = option->usableWith;
            if (!option->command && std::find(allowed.begin(), allowed.end(), m_line.command) == allowed.end()) {
                std::string owners;
                for (const Command command : allowed) {
                    owners += (owners.empty() ? "" : " or ") + nameOf(command);
                }
                throw RefusedInput(
                    option->name, "--" + option->name + " belongs to " + owners + ", not to " + nameOf(m_line.command));
            }
        }
        const std::size_t allowedFiles = m_line.command == Command::Window ? 1 : 0;
        if (m_files.size() > allowedFiles) {
            throw RefusedInput({}, "unexpected argument \"" + m_files[allowedFiles] + "\"" +
                                       (m_line.command == Command::Generate ? "; put the prompt in quotes" : ""));
        }
        if (!m_files.empty()) {
            m_line.subject = m_files.front();
        }
        if (m_line.command == Command::Headless && m_line.store.empty()) {
            throw RefusedInput("store", "--headless needs --store S.sqlite, the file that receives the results");
        }
    }

    CommandLine m_line;
    const OptionInfo* m_chosen = nullptr;
    std::vector<const OptionInfo*> m_options;
    std::vector<std::string> m_files;
};

}  // namespace

experiments::Result<CommandLine> parseCommandLine(const std::vector<std::string>& arguments) {
    try {
        return Parser().parse(arguments);
    } catch (const RefusedInput& refused) {
        return refused.refusal();
    }
}

std::string helpText() {
    constexpr std::size_t kColumn = 26;
    std::ostringstream out;
    out << "Kvist runs Qwen2.5 models with a pruned key/value cache and measures perplexity, memory and speed.\n\n"
           "usage: kvist [FILE]              open the window, with a sweep file or a result store\n"
           "       kvist COMMAND [OPTIONS]\n";
    for (const OptionInfo& option : optionTable()) {
        if (option.command) {
            out << '\n';
        }
        const std::string left = (option.command ? "  " : "      ") + dashed(option);
        out << left << std::string(left.size() < kColumn ? kColumn - left.size() : 1, ' ') << option.help << '\n';
    }
    out << "\nOptions from --policy to --seed belong to --generate and --score, --model to --headless too, --json to "
           "the "
           "lists.\n"
           "Results go to standard output, progress and messages to standard error. Exit status: 0 all runs finished,\n"
           "1 wrong use or unreadable input, 2 some runs failed, 130 or 143 stopped by a signal; the same command "
           "then\n"
           "goes on where it stopped.\n";
    return out.str();
}

}  // namespace kvist::app
