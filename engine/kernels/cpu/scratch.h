// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace kvist::kernels {

/// Memory that a thread keeps between calls: grows, is never given back before the thread ends, and holds
/// nothing from one call to the next. Aligned to 64 bytes.
class Scratch {
public:
    float* floats(std::size_t count) {
        if (count > m_count) {
            m_memory.reset();
            m_memory.reset(static_cast<float*>(::operator new(count * sizeof(float), kAlignment)));
            m_count = count;
        }
        return m_memory.get();
    }

private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(float* memory) const { ::operator delete(memory, kAlignment); }
    };
    std::unique_ptr<float, Free> m_memory;
    std::size_t m_count = 0;
};

}  // namespace kvist::kernels
