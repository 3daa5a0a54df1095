// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Functions that the GPU runs and that are tested on the CPU.
#if defined(__CUDACC__)
#define KVIST_HOST_DEVICE __host__ __device__
#else
#define KVIST_HOST_DEVICE
#endif
