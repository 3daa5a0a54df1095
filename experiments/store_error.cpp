// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/store_error.h"

#include <QString>

namespace kvist::experiments {
namespace {

/// SQLite's primary result codes (https://www.sqlite.org/rescode.html).
enum SqliteCode {
    kBusy = 5,
    kLocked = 6,
    kReadOnly = 8,
    kIoError = 10,
    kCorrupt = 11,
    kFull = 13,
    kCantOpen = 14,
    kNotADatabase = 26
};

std::string remedyOf(int code) {
    switch (code) {
        case kBusy:
        case kLocked:
            return "is in use by another program for too long; close that program or try again";
        case kReadOnly:
            return "cannot be written; change its permissions (and its folder's) or choose another store";
        case kIoError:
            return "cannot be read or written, the disk or the network reported an error; check it and try again";
        case kCorrupt:
            return "is damaged; restore a copy, or rescue its rows with \"sqlite3 FILE .recover\", and choose another "
                   "store";
        case kFull:
            return "cannot grow, the disk is full; free some space and resume. What is stored is safe";
        case kCantOpen:
            return "cannot be opened or created; check that its folder is there and may be written";
        case kNotADatabase:
            return "is not a result store; choose another file. It was left as it is";
        default:
            return "could not be used";
    }
}

}  // namespace

StoreError storeError(const std::string& path, const QSqlError& error) {
    constexpr int kPrimaryCode = 0xff;
    const int code = error.nativeErrorCode().toInt() & kPrimaryCode;
    return StoreError("The store " + path + " " + remedyOf(code) + " (SQLite: " + error.text().trimmed().toStdString() +
                      ").");
}

}  // namespace kvist::experiments
