// SPDX-License-Identifier: GPL-3.0-or-later
// Decode steps on request, so that a driver can time them in turn with those of other programs on the same machine.
//
// usage: decode_worker MODEL_FOLDER DTYPE THREADS [DEVICE]
//
// Reads one JSON object a line from stdin and answers each with one on stdout:
//   {"do": "open", "name": N, "policy": P, "parameters": {…}, "budget": B, "depth": D, "room": R}
//        a session with random entries as after D tokens, and room for R steps -> {"entries", "read_bytes",
//                                            "attention_operations"}
//   {"do": "steps", "name": N, "count": C}   C single-token steps, sampling included -> {"seconds": […]}
//   {"do": "close", "name": N}               -> {}
//   {"do": "machine"}                        -> {"bandwidth" in B/s, "arithmetic" in float32 FLOP/s (of a CPU),
//                                            "weight_bytes" read by a step, "all_weight_bytes", "resident_bytes",
//                                            "cpu"}
#include <ATen/Parallel.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/max.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/api/engine_error.h"
#include "engine/evaluate/roofline.h"
#include "engine/kernels/arithmetic_rate.h"
#include "engine/kernels/read_bandwidth.h"
#include "engine/model/memory_plan.h"
#include "engine/model/model_folder.h"
#include "engine/model/model_loader.h"
#include "engine/policies/policy_factory.h"
#include "engine/runtime/machine_probe.h"
#include "engine/runtime/stopwatch.h"
#include "engine/session/bounded_decoder.h"
#include "engine/session/session.h"

namespace {

using nlohmann::json;

/// A policy at work at some depth.
struct Decoding {
    std::unique_ptr<kvist::PruningPolicy> policy;
    std::unique_ptr<kvist::Session> session;
    std::unique_ptr<kvist::BoundedDecoder> bounded = {};  // on a GPU, where the policy allows it
    std::int32_t token = 0;
};

kvist::ParameterMap parametersOf(const json& given) {
    kvist::ParameterMap parameters;
    for (const auto& [name, value] : given.items()) {
        parameters[name] = value.get<std::int64_t>();
    }
    return parameters;
}

class Worker {
public:
    explicit Worker(std::unique_ptr<kvist::LoadedModel> model) : m_model(std::move(model)) {}

    json answer(const json& request) {
        const std::string what = request.at("do");
        if (what == "machine") {
            return machine();
        }
        const std::string name = request.at("name");
        if (what == "open") {
            return open(name, request);
        }
        if (what == "steps") {
            return steps(m_decodings.at(name), request.at("count"));
        }
        m_decodings.erase(name);
        return json::object();
    }

private:
    /// Bytes a second of reading the device's memory.
    double bandwidth() const {
        if (m_model->compute.device.is_cpu()) {
            return kvist::kernels::readBandwidth(m_model->compute.threads);
        }
        const at::Tensor words =
            at::zeros({std::int64_t{1} << 28}, at::TensorOptions(at::kFloat).device(m_model->compute.device));
        double best = 0;
        for (int i = 0; i < 5; ++i) {
            const kvist::Stopwatch watch;
            words.max().item<float>();
            best = std::max(best, static_cast<double>(words.nbytes()) / watch.seconds());
        }
        return best;
    }

    json machine() const {
        std::int64_t pages = 0;
        std::int64_t resident = 0;
        std::ifstream("/proc/self/statm") >> pages >> resident;
        json machine = {{"bandwidth", bandwidth()},
                        {"weight_bytes", m_model->decoder->weightBytesPerStep()},
                        {"all_weight_bytes", kvist::planMemory(m_model->info, m_model->compute, 0, 0).weights},
                        {"resident_bytes", resident * 4096},
                        {"cpu", kvist::probeMachine().summary()}};
        if (m_model->compute.device.is_cpu()) {
            machine["arithmetic"] = kvist::kernels::arithmeticRate(m_model->compute.threads);
        }
        return machine;
    }

    json open(const std::string& name, const json& request) {
        Decoding decoding;
        decoding.policy = kvist::makePolicy(request.at("policy"), parametersOf(request.at("parameters")));
        const std::int64_t depth = request.at("depth");
        decoding.session = std::make_unique<kvist::Session>(
            *m_model->decoder, *decoding.policy,
            kvist::SessionOptions{
                .budget = request.at("budget"), .chunk = 1, .longest = depth + request.at("room").get<std::int64_t>()});
        decoding.session->fillRandomly(depth, 0);
        const kvist::StepDemand demand = kvist::demandOf(*decoding.session);
        const auto entries = decoding.session->cache().layer(0).mostHeld();
        if (kvist::BoundedDecoder::pays(*decoding.session)) {
            decoding.bounded =
                std::make_unique<kvist::BoundedDecoder>(*decoding.session, m_model->decoder->config().vocabularySize);
            for (std::int64_t i = 0; i <= kvist::BoundedDecoder::kWarmups; ++i) {
                decoding.token = decoding.bounded->step(decoding.token);
            }
            std::cerr << name << ": steps are " << decoding.bounded->manner() << "\n";
        }
        m_decodings[name] = std::move(decoding);
        return {{"entries", entries},
                {"read_bytes", demand.entryBytes},
                {"attention_operations", demand.attentionOperations}};
    }

    json steps(Decoding& decoding, std::int64_t count) const {
        std::vector<double> seconds;
        for (std::int64_t i = 0; i < count; ++i) {
            const kvist::Stopwatch watch;
            if (decoding.bounded) {
                decoding.token = decoding.bounded->step(decoding.token);
            } else {
                const at::Tensor hidden = decoding.session->feed(std::span(&decoding.token, 1));
                const at::Tensor best = m_model->decoder->logits(hidden).argmax();
                decoding.token = static_cast<std::int32_t>(best.item<std::int64_t>());
            }
            seconds.push_back(watch.seconds());
        }
        return {{"seconds", seconds}};
    }

    std::unique_ptr<kvist::LoadedModel> m_model;
    std::map<std::string, Decoding> m_decodings;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5) {
        std::cerr << "usage: decode_worker MODEL_FOLDER DTYPE THREADS [DEVICE]\n";
        return 1;
    }
    try {
        const c10::InferenceMode inference;
        const kvist::ModelInfo info = kvist::ModelFolders().inspect(argv[1], {});
        const kvist::ModelChoice choice{
            .path = argv[1], .device = argc == 5 ? argv[4] : "cpu", .dtype = argv[2], .threads = std::atoi(argv[3])};
        const kvist::Compute compute = kvist::resolveCompute(choice, info, kvist::probeMachine());
        at::set_num_threads(compute.threads);
        kvist::SilentObserver silent;
        Worker worker(kvist::loadModel(info, compute, silent, {}));
        for (std::string line; std::getline(std::cin, line);) {
            std::cout << worker.answer(json::parse(line)).dump() << std::endl;
        }
    } catch (const std::exception& error) {
        std::cerr << "decode_worker: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
