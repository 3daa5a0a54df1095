// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kvist {

/// Bytes of a cache at one moment, in the kinds that are reported apart.
struct CacheStats {
    std::int64_t payload = 0;      ///< keys and values: live rows, and codes of every group that is held
    std::int64_t metadata = 0;     ///< position and order of each entry; scales of coded groups
    std::int64_t policyState = 0;  ///< per-entry columns of the policy
    std::int64_t allocated = 0;    ///< memory taken for keys and values
    std::int64_t read = 0;         ///< what a step reads: payload and the scales of coded groups
    std::int64_t recoded = 0;      ///< rows of a head that were decoded and coded anew so far

    CacheStats& operator+=(const CacheStats& other) {
        payload += other.payload;
        metadata += other.metadata;
        policyState += other.policyState;
        allocated += other.allocated;
        read += other.read;
        recoded += other.recoded;
        return *this;
    }
};

}  // namespace kvist
