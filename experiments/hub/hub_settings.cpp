// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/hub/hub_settings.h"

#include <QDir>
#include <QFile>

namespace kvist::experiments {
namespace {

QString variable(const char* name, const QString& otherwise) {
    const QString value = qEnvironmentVariable(name);
    return value.isEmpty() ? otherwise : value;
}

QString readToken(const QString& path) {
    constexpr qint64 kLongest = 4096;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(kLongest)).trimmed() : QString();
}

}  // namespace

HubSettings HubSettings::ofThisUser() {
    const QString caches = variable("XDG_CACHE_HOME", QDir::homePath() + QStringLiteral("/.cache"));
    const QString home = variable("HF_HOME", caches + QStringLiteral("/huggingface"));
    HubSettings settings;
    settings.endpoint = QUrl(variable("HF_ENDPOINT", QStringLiteral("https://huggingface.co")));
    settings.cache = variable("HF_HUB_CACHE", home + QStringLiteral("/hub"));
    settings.token = variable("HF_TOKEN", readToken(variable("HF_TOKEN_PATH", home + QStringLiteral("/token"))));
    return settings;
}

}  // namespace kvist::experiments
