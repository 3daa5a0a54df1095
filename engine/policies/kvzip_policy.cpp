// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/kvzip_policy.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/api/engine_error.h"
#include "engine/policies/lowest_scores.h"
#include "engine/policies/model_probe.h"
#include "engine/policies/protection.h"

namespace kvist {
namespace {

constexpr const char* kRepeatAll = "\n\nRepeat the previous context exactly.";
constexpr const char* kRepeatPart = "\n\nRepeat the part of the previous context exactly, starting with";
constexpr const char* kSuffix = "\n";      // what stands between an instruction and the answer without a chat template
constexpr std::int64_t kOverlap = 8;       // tokens of the previous part that lead into a part
constexpr std::int64_t kInstruction = 96;  // more tokens than an instruction has characters
constexpr std::int64_t kBlock = 256;       // queries whose attention is in memory at a time

}  // namespace

PolicyInfo KvZipPolicy::info() {
    return {.id = "kvzip",
            .title = "KVzip",
            .group = "Heads share a budget",
            .summary =
                "Lets the model repeat the prompt and keeps the entries of all layers and heads that it looks at "
                "while it does. What is generated stays.",
            .paper = "Kim et al. 2025, arXiv 2505.23416, section 3",
            .usesBudget = true,
            .isReconstruction = false,
            .parameters = {Protection::sinksParameter(4),
                           ParameterSpec::integer("part", "Part", 2048, 16, 32768, "tokens",
                                                  "Tokens of the prompt that are repeated in one pass."),
                           ParameterSpec::boolean("normalise", "Normalise", false,
                                                  "KVzip+: weigh attention by the length of the projected value over "
                                                  "that of the input of the query's layer.")
                               .asOptional()}};
}

KvZipPolicy::KvZipPolicy(const ParameterMap& parameters)
    : m_sinks(integerOf(parameters, "sinks")),
      m_part(integerOf(parameters, "part")),
      m_normalises(booleanOf(parameters, "normalise")) {}

PolicyNeeds KvZipPolicy::needs() const {
    return {.perHead = true, .probeTokens = m_part + kOverlap + kInstruction};
}

std::int64_t KvZipPolicy::stateBytes() const {
    std::size_t numbers = 0;
    for (const auto& layer : m_scores) {
        for (const auto& head : layer) {
            numbers += head.size();
        }
    }
    return static_cast<std::int64_t>(numbers * sizeof(float));
}

at::Tensor KvZipPolicy::greatestAttention(const at::Tensor& queries, const at::Tensor& keys, std::int64_t sinks,
                                          std::int64_t part, const Factors& factors) {
    const std::int64_t count = queries.size(0);
    const std::int64_t group = queries.size(1);
    const std::int64_t size = queries.size(2);
    const std::int64_t before = sinks + part;
    const at::Tensor own = at::arange(count, keys.options().dtype(at::kLong));
    at::Tensor greatest = at::full({part}, 0.0, keys.options());
    for (std::int64_t first = 0; first < count; first += kBlock) {
        const std::int64_t rows = std::min(kBlock, count - first);
        at::Tensor logits = at::matmul(queries.narrow(0, first, rows).reshape({rows * group, size}), keys.t())
                                .div_(std::sqrt(static_cast<double>(size)))
                                .view({rows, group, before + count});
        const at::Tensor hidden = own.unsqueeze(0).gt(own.narrow(0, first, rows).unsqueeze(1)).unsqueeze(1);
        logits.narrow(2, before, count).masked_fill_(hidden, -std::numeric_limits<double>::infinity());
        at::Tensor chances = logits.softmax(-1).narrow(2, sinks, part);
        if (factors.ofQueries.defined()) {
            chances = chances * factors.ofQueries.narrow(0, first, rows).view({rows, 1, 1});
        }
        if (factors.ofEntries.defined()) {
            chances = chances * factors.ofEntries;
        }
        greatest = at::maximum(greatest, chances.amax({0, 1}));
    }
    return greatest;
}

at::Tensor KvZipPolicy::outputLengths(const at::Tensor& values, const at::Tensor& weight) {
    const std::int64_t size = values.size(1);
    std::vector<at::Tensor> lengths;
    for (std::int64_t first = 0; first < weight.size(1); first += size) {
        const at::Tensor block = weight.narrow(1, first, size).to(values.scalar_type());
        lengths.push_back(at::matmul(values, block.t()).norm(2, {-1}));
    }
    return at::stack(lengths);
}

void KvZipPolicy::prefillEnd(ModelProbe& probe, const PlanContext& context) {
    const ModelConfig& config = probe.decoder().config();
    const std::int64_t length = context.tokensSeen;
    m_scores.assign(static_cast<std::size_t>(config.layers),
                    std::vector<std::vector<float>>(static_cast<std::size_t>(config.kvHeads)));
    const std::vector<std::int32_t> suffix = probe.encode(kSuffix);
    for (std::int64_t start = 0; start < length; start += m_part) {
        const std::int64_t part = std::min(m_part, length - start);
        const auto tokens = context.tokens.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(part));
        std::vector<std::int32_t> repeat = probe.encode(start == 0 ? kRepeatAll : kRepeatPart);
        if (start > 0) {
            repeat.insert(repeat.end(), tokens.begin() - kOverlap, tokens.begin());
        }
        repeat.insert(repeat.end(), suffix.begin(), suffix.end());
        repeat.insert(repeat.end(), tokens.begin(), tokens.end());
        const std::int64_t sinks = std::min(m_sinks, start);
        probe.forward(repeat, [&](const ProbedLayer& probed) {
            const LayerView view(probed.cache);
            const std::int64_t count = probed.queries.size(0);
            const std::int64_t group = config.queryHeads / config.kvHeads;
            const at::Tensor output = m_normalises ? probe.decoder().outputWeight(probed.layer) : at::Tensor();
            for (std::int64_t head = 0; head < config.kvHeads; ++head) {
                const at::Tensor all = view.keys(static_cast<std::size_t>(head)).squeeze(0);  // [entries, head_dim]
                const at::Tensor keys = at::cat(
                    {all.narrow(0, 0, sinks), all.narrow(0, start, part), all.narrow(0, all.size(0) - count, count)});
                const at::Tensor queries = probed.queries.narrow(1, head * group, group).to(keys.scalar_type());
                Factors factors;
                if (m_normalises) {
                    const at::Tensor values = view.values(static_cast<std::size_t>(head)).squeeze(0);
                    const std::int64_t width = group * config.headDim;
                    factors.ofQueries = probed.input.to(keys.scalar_type()).norm(2, {-1}).reciprocal();
                    factors.ofEntries =
                        outputLengths(values.narrow(0, start, part), output.narrow(1, head * width, width));
                }
                const at::Tensor scores =
                    greatestAttention(queries, keys, sinks, part, factors).to(at::kCPU, at::kFloat).contiguous();
                auto& list = m_scores[static_cast<std::size_t>(probed.layer)][static_cast<std::size_t>(head)];
                list.insert(list.end(), scores.data_ptr<float>(), scores.data_ptr<float>() + part);
            }
        });
    }
}

EvictionPlan KvZipPolicy::plan(const LayerView&, const PlanContext&) {
    throw EngineError(ErrorKind::Internal, "kvzip plans all layers together");
}

std::vector<EvictionPlan> KvZipPolicy::planAll(const CacheView& view, const PlanContext&) {
    std::vector<std::vector<float>> lists;
    std::int64_t surplus = 0;
    for (std::int64_t layer = 0; layer < view.layers(); ++layer) {
        surplus += view.held(layer) - view.target(layer) * view.kvHeads();
        for (const std::vector<float>& scores : m_scores.at(static_cast<std::size_t>(layer))) {
            lists.emplace_back(scores.begin() + std::min<std::int64_t>(m_sinks, std::ssize(scores)), scores.end());
        }
    }
    const auto gone = lowestOfAll(lists, surplus, static_cast<std::int32_t>(m_sinks));
    std::vector<EvictionPlan> plans;
    for (auto first = gone.begin(); first != gone.end(); first += view.kvHeads()) {
        plans.push_back({{first, first + view.kvHeads()}});
    }
    m_scores.clear();
    return plans;
}

}  // namespace kvist
