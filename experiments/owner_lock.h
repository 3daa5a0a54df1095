// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace kvist::experiments {

/// Tells which running program holds which runs of a store. Each program draws a number and locks the byte at
/// that offset of the file "<store>-owners"; the kernel frees it when the program ends, however it ends. So a
/// number can be taken for dead as soon as its byte is free, on one machine and on network mounts alike.
class OwnerLock {
public:
    /// Draws a number and locks it. Throws StoreError where the file cannot be made or locked.
    explicit OwnerLock(const std::string& storePath);
    ~OwnerLock();
    OwnerLock(const OwnerLock&) = delete;
    OwnerLock& operator=(const OwnerLock&) = delete;

    std::int64_t number() const { return m_number; }

    /// True while a program (this one too) holds the number.
    bool isAlive(std::int64_t number) const;

private:
    std::string m_path;
    int m_file = -1;
    std::int64_t m_number = 0;
};

}  // namespace kvist::experiments
