// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace kvist::kernels {

struct GraphModule;

/// Work on a GPU that was recorded once (a CUDA graph) and is launched again as a whole: with the same shapes,
/// addresses and numbers from the host. What it allocated stays its own.
class StepGraph {
public:
    /// Records what `enqueue` puts on the current stream, which must not be the default one; nothing of it runs yet.
    /// `enqueue` must have run before, so that libraries are loaded, and must not wait for the device. Null where
    /// that fails, with the reason in `problem`; the stream is usable as before.
    static std::unique_ptr<StepGraph> record(const std::function<void()>& enqueue, std::string& problem);

    ~StepGraph();
    StepGraph(const StepGraph&) = delete;
    StepGraph& operator=(const StepGraph&) = delete;

    /// Launches the work on the current stream. Throws EngineError(Device) with the driver's message.
    void replay();

private:
    StepGraph(const GraphModule& module, void* graph) : m_module(module), m_graph(graph) {}

    const GraphModule& m_module;
    void* m_graph;
};

}  // namespace kvist::kernels
