// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/file_text.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace kvist::experiments {

Result<std::string> readFile(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return Refusal{"", path + " cannot be read: " + file.errorString().toStdString()};
    }
    return file.readAll().toStdString();
}

bool isDevice(const std::string& path) {
    const QFileInfo info(QString::fromStdString(path));
    // A redirected stream may be a file at the moment, which is still not to be replaced.
    return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
           (info.exists() && !info.isFile() && !info.isDir());
}

Result<std::string> writeFile(const std::string& path, std::string_view bytes) {
    const auto refusal = [&path](const std::string& why) {
        return Refusal{"", path + " cannot be written: " + why + "; choose another folder or free some space"};
    };
    if (isDevice(path)) {
        std::ofstream device(path, std::ios::binary | std::ios::app);
        if (!device.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
            return refusal(std::strerror(errno));
        }
        return path;
    }
    QSaveFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0 ||
        !file.commit()) {
        return refusal(file.errorString().toStdString());
    }
    return path;
}

}  // namespace kvist::experiments
