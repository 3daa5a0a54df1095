// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/session_protocol.h"

namespace kvist {

SessionProtocol sessionProtocol(const RunConfig& config) {
    // Evaluations without the parameter, and runs that leave it at its default, stream.
    const auto found = config.evaluationParameters.find("protocol");
    const std::string protocol = found == config.evaluationParameters.end() ? "" : toText(found->second);
    const bool holdsPrompt = protocol == "prefill" || protocol == "prefill-then-score";
    return holdsPrompt ? SessionProtocol::PrefillThenDecode : SessionProtocol::Streamed;
}

}  // namespace kvist
