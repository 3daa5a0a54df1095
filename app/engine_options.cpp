// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine_options.h"

#include <QStandardPaths>

namespace kvist::app {

EngineOptions engineOptions(const std::string& resources) {
    return {.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString(),
            .calibrationText = resources + "/texts/persuasion.txt"};
}

}  // namespace kvist::app
