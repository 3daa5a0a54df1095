// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kvist {

/// Bytes of a cache at one moment, in the kinds that are reported apart.
struct CacheStats {
    std::int64_t payload = 0;      ///< live keys and values
    std::int64_t metadata = 0;     ///< position and order of each entry
    std::int64_t policyState = 0;  ///< per-entry columns of the policy
    std::int64_t allocated = 0;    ///< memory taken for keys and values

    CacheStats& operator+=(const CacheStats& other) {
        payload += other.payload;
        metadata += other.metadata;
        policyState += other.policyState;
        allocated += other.allocated;
        return *this;
    }
};

}  // namespace kvist
