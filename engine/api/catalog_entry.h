// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/api/engine_error.h"
#include "engine/api/nearest_name.h"

namespace kvist {

/// The entry of a catalog whose idOf(entry) is `id`. Throws EngineError(InvalidInput) that names the nearest id where
/// there is none; `kind` is what the message calls an entry ("policy").
template <typename Entry, typename IdOf>
const Entry& catalogEntry(const std::vector<Entry>& catalog, const std::string& kind, const std::string& id,
                          IdOf idOf) {
    std::vector<std::string> ids;
    for (const Entry& entry : catalog) {
        if (idOf(entry) == id) {
            return entry;
        }
        ids.push_back(idOf(entry));
    }
    const std::string near = nearestName(id, ids);
    throw EngineError(ErrorKind::InvalidInput,
                      "there is no " + kind + " " + id + (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace kvist
