// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/file_text.h"

#include <QFile>
#include <QSaveFile>

namespace kvist::experiments {

Result<std::string> readFile(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return Refusal{"", path + " cannot be read: " + file.errorString().toStdString()};
    }
    return file.readAll().toStdString();
}

Result<std::string> writeFile(const std::string& path, std::string_view bytes) {
    QSaveFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0 ||
        !file.commit()) {
        return Refusal{"", path + " cannot be written: " + file.errorString().toStdString() +
                               "; choose another folder or free some space"};
    }
    return path;
}

}  // namespace kvist::experiments
