// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/bounded_decoder.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <map>

#include "engine/api/engine_error.h"
#include "engine/kernels/attention.h"

namespace kvist {
namespace {

/// The stream of all steps on a GPU: one, since libtorch keeps working memory for every stream that it has seen.
c10::Stream streamOf(const c10::impl::VirtualGuardImpl& guard, at::Device device) {
    thread_local std::map<at::DeviceIndex, c10::Stream> streams;
    const auto known = streams.find(device.index());
    return known != streams.end()
               ? known->second
               : streams.emplace(device.index(), guard.getStreamFromGlobalPool(device)).first->second;
}

}  // namespace

bool BoundedDecoder::pays(const Session& session) {
    return session.decoder().device().is_cuda() && session.replacement();
}

BoundedDecoder::BoundedDecoder(Session& session, std::int64_t vocabulary)
    : m_session(session),
      m_decoder(session.decoder()),
      m_cache(session.cache()),
      m_vocabulary(vocabulary),
      m_first(session.tokensSeen()),
      m_slots(session.cache(), session.replacement().value()),
      m_held(static_cast<std::size_t>(session.cache().shape().kvHeads), m_slots.entries() - 1) {
    const at::Device device = m_decoder.device();
    const auto options = at::TensorOptions(at::kLong).device(device);
    m_token = at::full({1}, -1, options);
    m_position = at::full({1}, m_first, options);
    m_outcome = at::empty({2 + m_slots.layers()}, options);
    if (!device.is_cpu()) {
        const c10::impl::VirtualGuardImpl guard(device.type());
        guard.getStream(device).synchronize();
        m_stream = streamOf(guard, device);
    }
    session.lend();
}

std::int32_t BoundedDecoder::step(std::int32_t token) {
    if (token < 0 || token >= m_decoder.config().vocabularySize) {
        throw EngineError(ErrorKind::InvalidInput, "token " + std::to_string(token) +
                                                       " is beyond the model's vocabulary; tokenizer and weights do "
                                                       "not belong together");
    }
    const c10::OptionalStreamGuard guard(m_stream);
    m_token.fill_(token);
    run();
    const at::Tensor outcome = m_outcome.cpu();  // waits for the device
    const auto* values = outcome.const_data_ptr<std::int64_t>();
    if (values[1] == 0) {
        throw EngineError(ErrorKind::Numerical,
                          "NaN or infinity at token " +
                              std::to_string(m_first + static_cast<std::int64_t>(m_steps.tokens.size())) +
                              "; try dtype float32 or bfloat16");
    }
    m_steps.tokens.push_back(token);
    m_steps.entries.insert(m_steps.entries.end(), values + 2, values + outcome.numel());
    return static_cast<std::int32_t>(values[0]);
}

void BoundedDecoder::run() {
    const bool isWarm = static_cast<std::int64_t>(m_steps.tokens.size()) >= kWarmups;
    if (!m_graph && m_stream && isWarm && m_problem.empty()) {
        m_graph = kernels::StepGraph::record([this] { enqueue(); }, m_problem);
        if (!m_graph) {
            TORCH_WARN("decode steps are not replayed as a CUDA graph: ", m_problem);
        }
    }
    if (m_graph) {
        m_graph->replay();
    } else {
        enqueue();
    }
}

void BoundedDecoder::enqueue() {
    m_slots.replace(m_position);
    const at::Tensor hidden = m_decoder.forward(m_token, m_position, *this);  // [1, hidden]
    m_logits = m_decoder.logits(hidden);
    m_outcome.narrow(0, 0, 1).copy_(m_logits.narrow(1, 0, m_vocabulary).argmax(1));
    m_outcome.narrow(0, 1, 1).copy_(at::isfinite(hidden).all());
    m_outcome.narrow(0, 2, m_slots.layers()).copy_(m_slots.replaced());
    m_position.add_(1);
}

at::Tensor BoundedDecoder::attend(std::int64_t layer, const Projection& projection) {
    m_slots.write(layer, projection.keys, projection.values);
    const LayerCache& cache = m_cache.layer(layer);
    return kernels::attention({.queries = projection.queries,
                               .keys = cache.keys(),
                               .values = cache.values(),
                               .held = m_held,
                               .scale = 1.0 / std::sqrt(static_cast<double>(projection.queries.size(2))),
                               .scores = m_slots.scores().defined() ? m_slots.scores()[layer] : at::Tensor()})
        .context;
}

void BoundedDecoder::finish() {
    const c10::OptionalStreamGuard guard(m_stream);
    if (m_slots.scores().defined()) {
        m_steps.scores = m_slots.scores().cpu();
        if (at::isnan(m_steps.scores).any().item<bool>()) {
            throw EngineError(ErrorKind::Numerical, "a score of the policy is NaN; try dtype float32");
        }
    }
    m_session.takeBack(m_steps);
}

std::string BoundedDecoder::manner() const {
    if (m_graph) {
        return "replayed as a CUDA graph";
    }
    return "launched one operation at a time" + (m_problem.empty() ? std::string() : " (" + m_problem + ")");
}

}  // namespace kvist
