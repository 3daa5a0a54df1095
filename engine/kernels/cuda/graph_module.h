// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The interface of the module that records CUDA graphs: plain C over libtorch's at::cuda::CUDAGraph, whose memory
// pools keep what a graph uses apart from everything else.

extern "C" {

/// Records from here on what this thread puts on libtorch's current stream, which must not be the default one. Null
/// where that fails.
void* kvistGraphBegin();

/// Ends the recording; on the same stream. False where something could not be recorded.
bool kvistGraphEnd(void* graph);

/// Launches the recorded work on libtorch's current stream. False where that fails.
bool kvistGraphReplay(void* graph);

/// The device must have finished with the graph.
void kvistGraphDestroy(void* graph);

/// What failed last on this thread.
const char* kvistGraphProblem();
}
