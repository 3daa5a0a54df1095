// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <string>
#include <vector>

#include "app/application.h"
#include "app/command_line.h"
#include "app/exit_code.h"

int main(int argc, char** argv) {
    using namespace kvist::app;
    const auto line = parseCommandLine(std::vector<std::string>(argv + 1, argv + argc));
    if (!line) {
        std::cerr << "kvist: " << line.refusal().message << "\nkvist --help lists the options.\n";
        return kWrongUse;
    }
    return runCommand(*line, argv[0]);
}
