// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/local_models.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>
#include <algorithm>
#include <tuple>

#include "experiments/hub/hub_settings.h"

namespace kvist::experiments {
namespace {

constexpr std::size_t kMostModels = 200;
constexpr qint64 kLargestJson = 4 << 20;

QJsonObject readObject(const QString& path) {
    QFile file(path);
    return file.size() <= kLargestJson && file.open(QIODevice::ReadOnly)
               ? QJsonDocument::fromJson(file.readAll()).object()
               : QJsonObject();
}

/// Whether the metadata at the start of a GGUF file name Qwen2 as the architecture. The key comes first in all files
/// that llama.cpp's converter writes.
bool isQwenGguf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray start = file.read(4096);
    const QByteArray key("general.architecture");
    const qsizetype at = start.indexOf(key) + key.size();
    constexpr qsizetype kKindAndLength = 12;
    if (!start.startsWith("GGUF") || at < key.size() || at + kKindAndLength > start.size()) {
        return false;
    }
    const auto length = qFromLittleEndian<quint64>(start.constData() + at + 4);
    return length == 5 && start.mid(at + kKindAndLength, 5) == "qwen2";
}

/// The first GGUF file of each model in a folder: of split ones the first part.
QStringList ggufFiles(const QDir& folder) {
    QStringList files = folder.entryList({QStringLiteral("*.gguf")}, QDir::Files, QDir::Name);
    files.removeIf([](const QString& name) {
        return name.contains(QStringLiteral("-of-")) && !name.contains(QStringLiteral("-00001-of-"));
    });
    return files;
}

void addModel(std::vector<LocalModel>& models, const QString& name, const QString& path, const char* source) {
    models.push_back({name.toStdString(), QDir::cleanPath(path).toStdString(), source});
}

void addGgufFiles(std::vector<LocalModel>& models, const QString& prefix, const QDir& folder, const char* source) {
    for (const QString& file : ggufFiles(folder)) {
        if (isQwenGguf(folder.filePath(file))) {
            addModel(models, prefix + file.chopped(5), folder.filePath(file), source);
        }
    }
}

/// models--<owner>--<name>/snapshots/<commit>/…
void addHuggingFace(std::vector<LocalModel>& models, const QDir& cache) {
    for (const QString& entry : cache.entryList({QStringLiteral("models--*")}, QDir::Dirs, QDir::Name)) {
        const QString name = entry.mid(8).replace(QStringLiteral("--"), QStringLiteral("/"));
        const QDir snapshots(cache.filePath(entry) + QStringLiteral("/snapshots"));
        bool isListed = false;
        for (const QString& commit : snapshots.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QDir snapshot(snapshots.filePath(commit));
            const QJsonObject config = readObject(snapshot.filePath(QStringLiteral("config.json")));
            const bool hasWeights = snapshot.exists(QStringLiteral("model.safetensors")) ||
                                    snapshot.exists(QStringLiteral("model.safetensors.index.json"));
            if (config.value(QStringLiteral("model_type")) == QStringLiteral("qwen2") && hasWeights && !isListed) {
                addModel(models, name, cache.filePath(entry), "Hugging Face");
                isListed = true;
            }
            addGgufFiles(models, name + QLatin1Char('/'), snapshot, "Hugging Face");
        }
    }
}

/// "sha256:<64 digits>" as the name of a blob; empty where it is anything else.
QString blobName(const QString& digest) {
    const bool isDigest = digest.size() == 71 && digest.startsWith(QStringLiteral("sha256:")) &&
                          std::all_of(digest.begin() + 7, digest.end(), [](QChar c) { return c.isLetterOrNumber(); });
    return isDigest ? QString(digest).replace(QLatin1Char(':'), QLatin1Char('-')) : QString();
}

/// manifests/<registry>/<namespace>/<model>/<tag> names a configuration and layers by their digests.
void addOllama(std::vector<LocalModel>& models, const QDir& store) {
    const QDir manifests(store.filePath(QStringLiteral("manifests")));
    const QDir blobs(store.filePath(QStringLiteral("blobs")));
    QDirIterator each(manifests.path(), QDir::Files, QDirIterator::Subdirectories);
    while (each.hasNext() && models.size() < kMostModels) {
        const QString path = each.next();
        const QJsonObject manifest = readObject(path);
        const QString config = blobName(manifest[QLatin1String("config")][QLatin1String("digest")].toString());
        if (config.isEmpty() ||
            readObject(blobs.filePath(config)).value(QStringLiteral("model_family")) != QStringLiteral("qwen2")) {
            continue;
        }
        QStringList parts = manifests.relativeFilePath(path).split(QLatin1Char('/'));
        const QString tag = parts.takeLast();
        if (parts.size() > 2 && parts[0] == QStringLiteral("registry.ollama.ai")) {
            parts.removeFirst();
            parts.removeOne(QStringLiteral("library"));
        }
        for (const QJsonValue layer : manifest.value(QStringLiteral("layers")).toArray()) {
            const QString blob = blobName(layer[QLatin1String("digest")].toString());
            if (layer[QLatin1String("mediaType")] == QStringLiteral("application/vnd.ollama.image.model") &&
                !blob.isEmpty() && blobs.exists(blob)) {
                addModel(models, parts.join(QLatin1Char('/')) + QLatin1Char(':') + tag, blobs.filePath(blob), "Ollama");
            }
        }
    }
}

/// <publisher>/<model>/<file>.gguf
void addLmStudio(std::vector<LocalModel>& models, const QDir& store) {
    for (const QString& publisher : store.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir folder(store.filePath(publisher));
        for (const QString& model : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            addGgufFiles(models, publisher + QLatin1Char('/'), QDir(folder.filePath(model)), "LM Studio");
        }
    }
}

}  // namespace

ModelStores ModelStores::ofThisUser() {
    const QString home = QDir::homePath();
    const QString ollama = qEnvironmentVariable("OLLAMA_MODELS");
    ModelStores stores;
    stores.huggingFace = {HubSettings::ofThisUser().cache.toStdString()};
    stores.ollama = {(ollama.isEmpty() ? home + "/.ollama/models" : ollama).toStdString(),
                     "/usr/share/ollama/.ollama/models"};
    stores.lmStudio = {(home + "/.lmstudio/models").toStdString(), (home + "/.cache/lm-studio/models").toStdString()};
    return stores;
}

std::vector<LocalModel> listLocalModels(const ModelStores& stores) {
    std::vector<LocalModel> models;
    const auto addAll = [&](const std::vector<std::string>& folders, auto add) {
        for (const std::string& folder : folders) {
            const QDir store(QString::fromStdString(folder));
            if (!folder.empty() && store.exists()) {
                add(models, store);
            }
        }
    };
    addAll(stores.huggingFace, addHuggingFace);
    addAll(stores.ollama, addOllama);
    addAll(stores.lmStudio, addLmStudio);
    std::sort(models.begin(), models.end(), [](const LocalModel& a, const LocalModel& b) {
        return std::tie(a.source, a.name, a.path) < std::tie(b.source, b.name, b.path);
    });
    models.resize(std::min(models.size(), kMostModels));
    return models;
}

}  // namespace kvist::experiments
