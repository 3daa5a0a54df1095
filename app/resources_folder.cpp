// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/resources_folder.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "engine/api/engine_error.h"

namespace kvist::app {

std::string resourcesFolder() {
    const QString place = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/kvist");
    const QString folder = QFileInfo(place).canonicalFilePath();
    if (folder.isEmpty()) {
        throw EngineError(ErrorKind::UnreadableFile,
                          "the program's resources are missing: " + place.toStdString() + "; install it again");
    }
    return folder.toStdString();
}

}  // namespace kvist::app
