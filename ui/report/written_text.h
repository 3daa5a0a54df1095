// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>
#include <string>

namespace kvist::ui {

/// What a run wrote (RunResult::texts) as rich text: two continuations side by side, with what both share in the
/// colour `muted`; the answers of a retrieval run beside what was expected. Empty where the run wrote nothing.
QString writtenHtml(const std::map<std::string, std::string>& texts, const QString& muted);

}  // namespace kvist::ui
