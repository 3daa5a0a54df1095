// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cuda/graph_module.h"

#include <ATen/cuda/CUDAGraph.h>

#include <exception>
#include <memory>
#include <string>

namespace {

thread_local std::string problem;

/// Runs `work`; false where it throws.
template <class Work>
bool succeeds(const Work& work) {
    try {
        work();
        return true;
    } catch (const std::exception& error) {
        problem = error.what();
    }
    return false;
}

at::cuda::CUDAGraph& graphOf(void* graph) {
    return *static_cast<at::cuda::CUDAGraph*>(graph);
}

}  // namespace

void* kvistGraphBegin() {
    std::unique_ptr<at::cuda::CUDAGraph> graph;
    const bool hasBegun = succeeds([&] {
        graph = std::make_unique<at::cuda::CUDAGraph>();
        graph->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    });
    return hasBegun ? graph.release() : nullptr;
}

bool kvistGraphEnd(void* graph) {
    return succeeds([&] { graphOf(graph).capture_end(); });
}

bool kvistGraphReplay(void* graph) {
    return succeeds([&] { graphOf(graph).replay(); });
}

void kvistGraphDestroy(void* graph) {
    delete &graphOf(graph);
}

const char* kvistGraphProblem() {
    return problem.c_str();
}
