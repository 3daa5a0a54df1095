// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/step_graph.h"

#include "engine/api/engine_error.h"
#include "engine/kernels/cuda/graph_module.h"
#include "engine/kernels/module_file.h"

#include <exception>

namespace kvist::kernels {

/// The functions of cuda/graph_module.h.
struct GraphModule {
    explicit GraphModule(const ModuleFile& file)
        : begin(file.function<decltype(begin)>("kvistGraphBegin")),
          end(file.function<decltype(end)>("kvistGraphEnd")),
          replay(file.function<decltype(replay)>("kvistGraphReplay")),
          destroy(file.function<decltype(destroy)>("kvistGraphDestroy")),
          problem(file.function<decltype(problem)>("kvistGraphProblem")) {}

    decltype(&kvistGraphBegin) begin;
    decltype(&kvistGraphEnd) end;
    decltype(&kvistGraphReplay) replay;
    decltype(&kvistGraphDestroy) destroy;
    decltype(&kvistGraphProblem) problem;

    /// Loaded at the first call. Throws EngineError(Device) where that fails.
    static const GraphModule& instance() {
        static const GraphModule module{ModuleFile("libkvist_cuda_graph.so")};
        return module;
    }
};

std::unique_ptr<StepGraph> StepGraph::record(const std::function<void()>& enqueue, std::string& problem) {
    try {
        const GraphModule& module = GraphModule::instance();
        if (void* begun = module.begin()) {
            std::unique_ptr<StepGraph> graph(new StepGraph(module, begun));
            try {
                enqueue();
            } catch (...) {
                module.end(begun);  // the stream would go on recording
                throw;
            }
            if (module.end(begun))
                return graph;
        }
        problem = module.problem();
    } catch (const std::exception& error) {
        problem = error.what();
    }
    problem = problem.substr(0, problem.find('\n'));  // libtorch adds a stack trace
    if (problem.empty())
        problem = "no reason was given";
    return nullptr;
}

StepGraph::~StepGraph() {
    m_module.destroy(m_graph);
}

void StepGraph::replay() {
    if (!m_module.replay(m_graph))
        throw EngineError(ErrorKind::Device, std::string("CUDA graph: ") + m_module.problem());
}

}  // namespace kvist::kernels
