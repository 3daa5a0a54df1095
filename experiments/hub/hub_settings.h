// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>
#include <chrono>

namespace kvist::experiments {

/// Where models come from and go to, as the Hugging Face library is told by its variables.
struct HubSettings {
    QUrl endpoint;  ///< HF_ENDPOINT, or https://huggingface.co
    QString cache;  ///< HF_HUB_CACHE, or "hub" in HF_HOME, or in the user's cache folder
    QString token;  ///< HF_TOKEN, or the file "token" in HF_HOME; empty where there is none
    std::chrono::milliseconds retryDelay = std::chrono::seconds(1);  ///< before the first new attempt; doubles after it
    std::chrono::milliseconds timeout = std::chrono::seconds(30);    ///< without a byte

    static HubSettings ofThisUser();
};

}  // namespace kvist::experiments
