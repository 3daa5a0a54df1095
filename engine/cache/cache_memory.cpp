// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/cache_memory.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>
#include <utility>

#include "engine/api/engine_error.h"

namespace kvist {
namespace {

std::int64_t pageSize() {
    static const std::int64_t size = ::sysconf(_SC_PAGESIZE);
    return size;
}

std::int64_t wholePages(std::int64_t bytes) {
    return (bytes + pageSize() - 1) / pageSize() * pageSize();
}

}  // namespace

CacheMemory::CacheMemory(const CacheShape& shape)
    : m_rowBytes(shape.headDim * static_cast<std::int64_t>(c10::elementSize(shape.type))),
      m_taken(static_cast<std::size_t>(shape.kvHeads), 0) {
    const auto options = at::TensorOptions(shape.type).device(shape.device);
    if (!shape.device.is_cpu()) {
        m_tensor = at::empty({shape.kvHeads, shape.capacity, shape.headDim}, options);
        m_taken.assign(m_taken.size(), shape.capacity * m_rowBytes);
        return;
    }
    m_headBytes = wholePages(shape.capacity * m_rowBytes);
    const std::int64_t bytes = shape.kvHeads * m_headBytes;
    m_address = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m_address == MAP_FAILED) {
        m_address = nullptr;
        throw EngineError(ErrorKind::OutOfMemory, "no address space for a cache of " + std::to_string(shape.capacity) +
                                                      " entries; choose a smaller context or budget");
    }
    // Huge pages would take memory that nothing lives in, and the bytes shown would not be those taken.
    ::madvise(m_address, static_cast<std::size_t>(bytes), MADV_NOHUGEPAGE);
    const std::int64_t element = static_cast<std::int64_t>(c10::elementSize(shape.type));
    m_tensor = at::from_blob(m_address, {shape.kvHeads, shape.capacity, shape.headDim},
                             {m_headBytes / element, shape.headDim, 1}, options);
}

CacheMemory::~CacheMemory() {
    if (m_address != nullptr) {
        ::munmap(m_address, m_taken.size() * static_cast<std::size_t>(m_headBytes));
    }
}

CacheMemory::CacheMemory(CacheMemory&& other) noexcept
    : m_tensor(std::move(other.m_tensor)),
      m_address(std::exchange(other.m_address, nullptr)),
      m_headBytes(other.m_headBytes),
      m_rowBytes(other.m_rowBytes),
      m_taken(std::move(other.m_taken)) {}

std::int64_t CacheMemory::pagedBytes(std::int64_t rows) const {
    return wholePages(rows * m_rowBytes);
}

void CacheMemory::use(std::int64_t head, std::int64_t rows) {
    auto& taken = m_taken[static_cast<std::size_t>(head)];
    taken = std::max(taken, pagedBytes(rows));
}

void CacheMemory::release(std::int64_t head, std::int64_t rows) {
    auto& taken = m_taken[static_cast<std::size_t>(head)];
    // One page stays as slack: a full cache gives up an entry and takes one in every step.
    const std::int64_t needed = pagedBytes(rows) + (rows > 0 ? pageSize() : 0);
    if (m_address == nullptr || needed >= taken) {
        return;
    }
    auto* start = static_cast<char*>(m_address) + head * m_headBytes + needed;
    ::madvise(start, static_cast<std::size_t>(taken - needed), MADV_DONTNEED);
    taken = needed;
}

std::int64_t CacheMemory::allocatedBytes() const {
    return std::accumulate(m_taken.begin(), m_taken.end(), std::int64_t{0});
}

}  // namespace kvist
