// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/sweep_file.h"

#include <QDir>
#include <QFileInfo>

#include "experiments/file_text.h"
#include "experiments/json_lines.h"
#include "experiments/json_object.h"
#include "experiments/sweep_json.h"

namespace kvist::experiments {

Result<Sweep> parseSweep(std::string_view json) {
    try {
        const auto document = nlohmann::ordered_json::parse(json);
        const auto lines = jsonLines(json);
        return sweepOf(JsonObject(document, "", lines, "a sweep file"));
    } catch (const RefusedInput& refused) {
        return refused.refusal();
    } catch (const nlohmann::json::exception& error) {
        const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 2, column 1: …"
        const std::size_t end = what.find("] ");
        return Refusal{"", "not valid JSON: " + (end == std::string::npos ? what : what.substr(end + 2))};
    }
}

Result<Sweep> readSweepFile(const std::string& path) {
    const auto json = readFile(path);
    if (!json) {
        return json.refusal();
    }
    auto sweep = parseSweep(*json);
    if (!sweep) {
        return Refusal{sweep.refusal().key, path + ", " + sweep.refusal().message};
    }
    Sweep result = *std::move(sweep);
    result.folder = QFileInfo(QString::fromStdString(path)).absolutePath().toStdString();
    return result;
}

Result<std::string> writeSweepFile(const std::string& path, const Sweep& sweep) {
    return writeFile(path, toJson(sweep));
}

Result<std::string> resolvedPath(const std::string& path, const std::string& sweepFolder,
                                 const std::string& resources) {
    const QString given = QString::fromStdString(path);
    const QString inResources = given.startsWith("resources/") ? given.mid(10) : given;
    QStringList places;
    if (QDir::isAbsolutePath(given)) {
        places << given;
    } else {
        if (!sweepFolder.empty()) {
            places << QDir(QString::fromStdString(sweepFolder)).filePath(given);
        }
        if (!resources.empty()) {
            places << QDir(QString::fromStdString(resources)).filePath(inResources);
        }
    }
    for (const QString& place : places) {
        if (QFileInfo::exists(place)) {
            return QDir::cleanPath(QFileInfo(place).absoluteFilePath()).toStdString();
        }
    }
    return Refusal{"", path + " is not there; looked for " + places.join(" and ").toStdString()};
}

}  // namespace kvist::experiments
