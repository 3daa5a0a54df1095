// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/store_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/api/policy_catalog.h"

namespace kvist::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StoreText", text);
}

/// The value as text; empty where there is none.
QString valueOf(const ParameterMap& parameters, const char* name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? QString() : QString::fromStdString(toText(found->second));
}

/// What a store is known by: its bits, or the share of channels that go.
QString sizeText(const ParameterMap& parameters) {
    const QString keys = valueOf(parameters, "key_bits");
    const QString values = valueOf(parameters, "value_bits");
    if (!keys.isEmpty() && !values.isEmpty()) {
        return tr(" %1/%2 bit").arg(keys, values);
    }
    const auto pruned = parameters.find("pruned");
    if (pruned != parameters.end() && std::holds_alternative<double>(pruned->second)) {
        return tr(" −%1 % of the channels").arg(std::get<double>(pruned->second) * 100);
    }
    return {};
}

bool isStore(const std::string& id) {
    const auto& catalog = policyCatalog();
    return std::any_of(catalog.begin(), catalog.end(),
                       [&](const PolicyInfo& info) { return info.id == id && info.isStore; });
}

}  // namespace

QString policyTitle(const std::string& id) {
    const auto& catalog = policyCatalog();
    const auto found =
        std::find_if(catalog.begin(), catalog.end(), [&](const PolicyInfo& one) { return one.id == id; });
    return QString::fromStdString(found == catalog.end() ? id : found->title);
}

QString storeText(const RunConfig& config) {
    return config.store.empty() ? QString() : policyTitle(config.store) + sizeText(config.storeParameters);
}

QString policyText(const RunConfig& config) {
    const QString title = policyTitle(config.policy);
    return isStore(config.policy) ? title + sizeText(config.policyParameters) : title;
}

QString methodText(const RunConfig& config) {
    const QString held = storeText(config);
    return held.isEmpty() ? policyText(config) : QStringLiteral("%1, %2").arg(policyText(config), held);
}

const std::string& leadingPolicy(const RunConfig& config) {
    return config.policy == "full" && !config.store.empty() ? config.store : config.policy;
}

}  // namespace kvist::ui
