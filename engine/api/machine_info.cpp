// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/machine_info.h"

namespace kvist {

std::string MachineInfo::summary() const {
    std::string text = cpu + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
    for (const std::string& gpu : gpus) {
        text += ", " + gpu;
    }
    return text;
}

}  // namespace kvist
