// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/owner_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <QRandomGenerator>
#include <cerrno>
#include <cstring>

#include "experiments/store_error.h"

namespace kvist::experiments {
namespace {

struct flock byteAt(std::int64_t offset) {
    struct flock range = {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = offset;
    range.l_len = 1;
    return range;
}

StoreError lockError(const std::string& path) {
    return StoreError("The file " + path + ", which tells running programs apart, cannot be used: " +
                      std::strerror(errno) + "; choose a store in a folder that may be written.");
}

}  // namespace

OwnerLock::OwnerLock(const std::string& storePath) : m_path(storePath + "-owners") {
    m_file = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_file < 0) {
        throw lockError(m_path);
    }
    constexpr std::int64_t kNumbers = std::int64_t{1} << 48;
    m_number = QRandomGenerator::system()->generate64() % kNumbers + 1;
    struct flock range = byteAt(m_number);
    if (::fcntl(m_file, F_OFD_SETLK, &range) != 0) {
        const StoreError error = lockError(m_path);
        ::close(m_file);
        throw error;
    }
}

OwnerLock::~OwnerLock() {
    ::close(m_file);
}

bool OwnerLock::isAlive(std::int64_t number) const {
    if (number == m_number) {
        return true;
    }
    struct flock range = byteAt(number);
    if (::fcntl(m_file, F_OFD_GETLK, &range) != 0) {
        throw lockError(m_path);
    }
    return range.l_type != F_UNLCK;
}

}  // namespace kvist::experiments
