// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/attention.h"

namespace kvist::kernels {

AttentionResult attention(const AttentionCall& call) {
    return attentionReference(call);
}

}  // namespace kvist::kernels
