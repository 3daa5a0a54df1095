// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/run_session.h"

#include "engine/api/evaluation_catalog.h"

namespace kvist {

SessionOptions sessionOptions(const RunConfig& config, const LoadedModel& model, std::int64_t longest) {
    return {.budget = config.budget,
            .chunk = config.chunk,
            .longest = longest,
            .protocol = holdsPrompt(config) ? SessionProtocol::PrefillThenDecode : SessionProtocol::Streamed,
            .tokenizer = model.tokenizer.get()};
}

}  // namespace kvist
