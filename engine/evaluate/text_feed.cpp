// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/text_feed.h"

#include <algorithm>

namespace kvist {

void TextFeed::run() const {
    const auto fed = static_cast<std::int64_t>(tokens.size()) - 1;
    const bool hasPrompt = session.protocol() == SessionProtocol::PrefillThenDecode;
    const std::int64_t segment = std::max<std::int64_t>(1, kSegment / session.chunk()) * session.chunk();
    for (std::int64_t start = 0; start < fed;) {
        const bool isPrompt = hasPrompt && start < warm;
        const std::int64_t end = std::min(start + segment, isPrompt ? warm : fed);
        if (hasPrompt && start == warm) {
            session.endPrompt({.stop = stop, .checksFinite = true, .onLayerDone = {}});
            onWarm(start);
        }
        const at::Tensor hidden = feed(start, end);
        if (!hasPrompt && start < warm && end >= warm) {
            onWarm(end);
        }
        predict(hidden, start, end);
        onSegment(end);
        start = end;
    }
}

at::Tensor TextFeed::feed(std::int64_t start, std::int64_t end) const {
    const std::int64_t layers = session.decoder().config().layers;
    const auto onLayerDone = [&](std::int64_t done) { onProgress(start + (end - start) * done / layers); };
    return session.feed(tokens.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)),
                        {.stop = stop, .checksFinite = true, .onLayerDone = onLayerDone});
}

void TextFeed::predict(const at::Tensor& hidden, std::int64_t start, std::int64_t end) const {
    const std::int64_t skipped = std::clamp<std::int64_t>(warm - start, 0, end - start);
    const std::int64_t rows = end - start - skipped;
    if (rows > 0) {
        const auto next = tokens.subspan(static_cast<std::size_t>(start + skipped + 1), static_cast<std::size_t>(rows));
        forEachLogitBlock(session.decoder(), hidden.narrow(0, skipped, rows), next, start + skipped, stop,
                          onPredictions);
    }
}

}  // namespace kvist
