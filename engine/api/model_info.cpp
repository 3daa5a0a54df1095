// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/model_info.h"

namespace kvist {

std::int64_t ModelInfo::kvBytesPerToken(int elementSize) const {
    return 2 * layers * kvHeads * headDim * elementSize;
}

}  // namespace kvist
