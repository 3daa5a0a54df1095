// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_listing.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace kvist::experiments {
namespace {

bool matches(const QString& text, const char* pattern) {
    return QRegularExpression(QRegularExpression::anchoredPattern(QString::fromLatin1(pattern))).match(text).hasMatch();
}

bool isPlainName(const QString& name) {
    return matches(name, "[A-Za-z0-9_][A-Za-z0-9._-]*");
}

/// "model-00002-of-00003.gguf" without the part number; other names unchanged.
QString wholeName(const QString& name) {
    static const QRegularExpression kPart(QStringLiteral("-[0-9]{5}-of-"));
    return QString(name).replace(kPart, QStringLiteral("-*-of-"));
}

bool belongsToModel(const QString& name) {
    static const QStringList kNames = {QStringLiteral("config.json"),
                                       QStringLiteral("generation_config.json"),
                                       QStringLiteral("tokenizer.json"),
                                       QStringLiteral("tokenizer.model"),
                                       QStringLiteral("tokenizer_config.json"),
                                       QStringLiteral("vocab.json"),
                                       QStringLiteral("merges.txt"),
                                       QStringLiteral("added_tokens.json"),
                                       QStringLiteral("special_tokens_map.json"),
                                       QStringLiteral("chat_template.jinja"),
                                       QStringLiteral("model.safetensors"),
                                       QStringLiteral("model.safetensors.index.json")};
    return kNames.contains(name) || matches(name, "model-[0-9]{5}-of-[0-9]{5}\\.safetensors");
}

}  // namespace

Result<HubRequest> checkedRequest(HubRequest request) {
    const std::string repository = request.repository.toStdString();
    if (!matches(request.repository, "[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}") ||
        request.repository.contains(QStringLiteral("--")) || request.repository.contains(QStringLiteral(".."))) {
        return Refusal{"repository", "\"" + repository +
                                         "\" is no repository of the hub; expected owner/name, such as "
                                         "Qwen/Qwen2.5-0.5B"};
    }
    if (!matches(request.revision, "[A-Za-z0-9][A-Za-z0-9._/-]{0,200}") ||
        request.revision.contains(QStringLiteral(".."))) {
        return Refusal{"revision", "\"" + request.revision.toStdString() + "\" is no branch, tag or commit"};
    }
    if (!request.file.isEmpty() && (!isPlainName(request.file) || !request.file.endsWith(QStringLiteral(".gguf")))) {
        return Refusal{"file", "\"" + request.file.toStdString() + "\" is no GGUF file of a repository"};
    }
    return request;
}

Result<HubListing> parseListing(const QByteArray& json) {
    const QJsonObject answer = QJsonDocument::fromJson(json).object();
    HubListing listing;
    listing.commit = answer.value(QStringLiteral("sha")).toString();
    if (!matches(listing.commit, "[0-9a-f]{40}") || !answer.value(QStringLiteral("siblings")).isArray()) {
        return Refusal{"", "the answer is no list of a repository's files; is the endpoint a Hugging Face hub?"};
    }
    for (const QJsonValue entry : answer.value(QStringLiteral("siblings")).toArray()) {
        const QJsonValue large = entry[QLatin1String("lfs")];
        HubFile file;
        file.name = entry[QLatin1String("rfilename")].toString();
        file.isLarge = large.isObject();
        file.size = static_cast<qint64>((file.isLarge ? large : entry)[QLatin1String("size")].toDouble(-1));
        file.checksum =
            file.isLarge ? large[QLatin1String("sha256")].toString() : entry[QLatin1String("blobId")].toString();
        if (isPlainName(file.name) && file.size >= 0 &&
            matches(file.checksum, file.isLarge ? "[0-9a-f]{64}" : "[0-9a-f]{40}")) {
            listing.files.push_back(file);
        }
    }
    return listing;
}

Result<std::vector<HubFile>> neededFiles(const HubListing& listing, const HubRequest& request) {
    std::vector<HubFile> needed;
    QStringList gguf;
    bool hasWeights = false;
    bool hasConfiguration = false;
    for (const HubFile& file : listing.files) {
        if (file.name.endsWith(QStringLiteral(".gguf"))) {
            gguf << file.name;
        }
        const bool isNeeded =
            request.file.isEmpty() ? belongsToModel(file.name) : wholeName(file.name) == wholeName(request.file);
        if (isNeeded) {
            needed.push_back(file);
            hasWeights = hasWeights || file.name.endsWith(QStringLiteral(".safetensors"));
            hasConfiguration = hasConfiguration || file.name == QStringLiteral("config.json");
        }
    }
    const std::string repository = request.repository.toStdString();
    const std::string choice =
        gguf.isEmpty() ? "" : "; it holds these GGUF files: " + gguf.join(QStringLiteral(", ")).toStdString();
    if (request.file.isEmpty() ? !(hasWeights && hasConfiguration) : needed.empty()) {
        const std::string missing =
            request.file.isEmpty() ? "config.json with safetensors files" : request.file.toStdString();
        return Refusal{"repository", repository + " has no " + missing + choice};
    }
    return needed;
}

}  // namespace kvist::experiments
