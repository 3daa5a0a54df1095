// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels against the read bandwidth measured in the same process: the counter `of_bandwidth` is the share of it
// that a kernel reaches, counting each weight or entry once. Inputs rotate over more memory than caches hold.
#include "engine/cache/attend_entries.h"
#include "engine/kernels/attention.h"
#include "engine/kernels/linear.h"
#include "engine/kernels/read_bandwidth.h"
#include "engine/policies/store_factory.h"

#include <ATen/Parallel.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using benchmark::State;
using kvist::kernels::AttentionCall;

constexpr std::int64_t kRotatedBytes = std::int64_t{1} << 30;

double bandwidth() {
    static const double measured = kvist::kernels::readBandwidth(at::get_num_threads());
    return measured;
}

void count(State& state, double bytes, double operations) {
    state.counters["of_bandwidth"] = benchmark::Counter(
        bytes / bandwidth(), benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
    state.counters["GFLOP/s"] = benchmark::Counter(operations * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

at::Tensor weightOf(std::int64_t out, std::int64_t in, at::ScalarType type) {
    return at::randn({out, in}, at::kFloat).to(type);
}

using Linear = at::Tensor (*)(const at::Tensor&, const at::Tensor&);

void runLinear(State& state, Linear linear, at::ScalarType type, std::int64_t rows, std::int64_t out, std::int64_t in) {
    const std::int64_t bytes = out * in * static_cast<std::int64_t>(at::elementSize(type));
    std::vector<at::Tensor> weights{weightOf(out, in, type)};
    for (std::int64_t total = bytes; total < kRotatedBytes; total += bytes)
        weights.push_back(weights.front().clone());
    const at::Tensor input = weightOf(rows, in, type);
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(linear(input, weights[next]));
        next = (next + 1) % weights.size();
    }
    count(state, static_cast<double>(bytes), 2.0 * static_cast<double>(rows * out * in));
}

struct HeadShape {
    const char* model;
    std::int64_t kvHeads;
    std::int64_t group;
    std::int64_t headDim;
};

void runAttention(State& state, at::ScalarType type, const HeadShape& shape, std::int64_t held, std::int64_t chunk,
                  bool wantsMass) {
    const std::int64_t capacity = held + chunk;
    const std::int64_t bytes =
        2 * shape.kvHeads * capacity * shape.headDim * static_cast<std::int64_t>(at::elementSize(type));
    const std::int64_t layers = std::clamp<std::int64_t>(kRotatedBytes / bytes, 1, 28);
    std::vector<at::Tensor> keys;
    std::vector<at::Tensor> values;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        keys.push_back(at::randn({shape.kvHeads, capacity, shape.headDim}, at::kFloat).to(type));
        values.push_back(at::randn({shape.kvHeads, capacity, shape.headDim}, at::kFloat).to(type));
    }
    const at::Tensor queries = at::randn({chunk, shape.kvHeads * shape.group, shape.headDim}, at::kFloat).to(type);
    const std::vector<std::int64_t> heldOfHeads(static_cast<std::size_t>(shape.kvHeads), held);
    const double scale = 1.0 / std::sqrt(static_cast<double>(shape.headDim));
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            kvist::kernels::attention({queries, keys[next], values[next], heldOfHeads, scale, wantsMass}));
        next = (next + 1) % keys.size();
    }
    const auto visible = static_cast<double>(held) + static_cast<double>(chunk + 1) / 2.0;
    count(state, static_cast<double>(bytes),
          4.0 * static_cast<double>(chunk * shape.kvHeads * shape.group * shape.headDim) * visible);
}

/// A decode step over layers whose entries a store holds; "plain" is none.
void runStored(State& state, const std::string& store, const std::string& bits, const HeadShape& shape,
               std::int64_t held) {
    constexpr std::int64_t kLayers = 12;
    const kvist::CacheShape cacheShape{kLayers, shape.kvHeads, shape.headDim, held, at::kBFloat16, at::kCPU};
    kvist::LayerStore form;
    if (store != "plain")
        form = kvist::makeStore(store, {{"key_bits", bits}, {"value_bits", bits}})->layer(kLayers / 2, cacheShape);
    std::vector<kvist::LayerCache> layers;
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
        kvist::LayerCache& cache = layers.emplace_back(cacheShape, 0, false, form);
        for (std::int64_t seen = 0; seen < held; seen += 1024) {
            const at::Tensor rows = at::randn({1024, shape.kvHeads, shape.headDim}).to(at::kBFloat16);
            cache.append(rows, rows, seen);
            cache.settle();
        }
    }
    const at::Tensor queries = at::randn({1, shape.kvHeads * shape.group, shape.headDim}).to(at::kBFloat16);
    const std::vector<std::int64_t> before(static_cast<std::size_t>(shape.kvHeads), held - 1);
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(kvist::attendEntries(layers[next], queries, before, false));
        next = (next + 1) % layers.size();
    }
    const auto read = static_cast<double>(layers.front().stats().read);
    count(state, read, 4.0 * static_cast<double>(shape.kvHeads * shape.group * shape.headDim * held));
}

std::string nameOf(at::ScalarType type) {
    return type == at::kFloat ? "float32" : type == at::kBFloat16 ? "bfloat16" : "float16";
}

void runEightBitLinear(State& state, std::int64_t out, std::int64_t in) {
    std::vector<kvist::kernels::Matrix> weights{kvist::kernels::eightBit(weightOf(out, in, at::kFloat))};
    const std::int64_t bytes = weights.front().bytes();
    for (std::int64_t total = bytes; total < kRotatedBytes; total += bytes)
        weights.push_back({weights.front().values.clone(), weights.front().scales.clone()});
    const at::Tensor input = weightOf(1, in, at::kBFloat16);
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(kvist::kernels::linear(input, weights[next], at::Tensor()));
        next = (next + 1) % weights.size();
    }
    count(state, static_cast<double>(bytes), 2.0 * static_cast<double>(out * in));
}

constexpr std::int64_t kShapes[][2] = {{1152, 896}, {9728, 896}, {896, 4864}, {151936, 896}};

void registerLinear() {
    for (const auto& [out, in] : kShapes)
        benchmark::RegisterBenchmark(("linear/int8/rows:1/" + std::to_string(out) + "x" + std::to_string(in)).c_str(),
                                     [out = out, in = in](State& state) { runEightBitLinear(state, out, in); })
            ->UseRealTime();
    for (const auto type : {at::kBFloat16, at::kHalf, at::kFloat})
        for (const std::int64_t rows : {1, 2, 4})
            for (const auto& [out, in] : kShapes) {
                const std::string shape = nameOf(type) + "/rows:" + std::to_string(rows) + "/" + std::to_string(out) +
                                          "x" + std::to_string(in);
                const auto add = [&, out = out, in = in](const char* who, Linear linear) {
                    benchmark::RegisterBenchmark((who + shape).c_str(), [=](State& state) {
                        runLinear(state, linear, type, rows, out, in);
                    })->UseRealTime();
                };
                add("linear/", [](const at::Tensor& x, const at::Tensor& w) {
                    return kvist::kernels::linear(x, w, at::Tensor());
                });
                add("libtorch_linear/", [](const at::Tensor& x, const at::Tensor& w) { return at::linear(x, w); });
            }
}

void registerAttention() {
    static constexpr HeadShape kModels[] = {{"0.5B", 2, 7, 64}, {"1.5B", 2, 6, 128}};
    const auto add = [](at::ScalarType type, const HeadShape& shape, std::int64_t held, std::int64_t chunk, bool mass) {
        const std::string name = "attention/" + nameOf(type) + "/" + shape.model + "/held:" + std::to_string(held) +
                                 "/chunk:" + std::to_string(chunk) + (mass ? "/mass" : "");
        benchmark::RegisterBenchmark(name.c_str(), [=](State& state) {
            runAttention(state, type, shape, held, chunk, mass);
        })->UseRealTime();
    };
    for (const HeadShape& shape : kModels)
        for (const auto type : {at::kBFloat16, at::kFloat}) {
            for (const std::int64_t chunk : {1, 32})
                for (const std::int64_t held : {512, 4096, 16384, 65536})
                    for (const bool mass : {false, true})
                        add(type, shape, held, chunk, mass);
            for (const std::int64_t held : {0, 16384})
                add(type, shape, held, 2048, false);
        }
}

void registerStored() {
    static constexpr HeadShape kShape{"0.5B", 2, 7, 64};
    const auto add = [](const std::string& store, const std::string& bits) {
        benchmark::RegisterBenchmark(("stored/" + store + "/bits:" + bits + "/held:16384").c_str(), [=](State& state) {
            runStored(state, store, bits, kShape, 16384);
        })->UseRealTime();
    };
    add("plain", "16");
    for (const char* bits : {"2", "4", "8"})
        add("kivi", bits);
    for (const char* bits : {"2", "3", "4"})
        add("turboquant", bits);
}

}  // namespace

int main(int argc, char** argv) {
    registerLinear();
    registerAttention();
    registerStored();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    std::printf("%d threads, read bandwidth %.1f GB/s\n", at::get_num_threads(), bandwidth() * 1e-9);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
