// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlError>
#include <stdexcept>
#include <string>

namespace kvist::experiments {

/// The store cannot be opened, read or written; the message names the file and the remedy. What was stored
/// before stays as it was.
class StoreError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The error that SQLite reported for the store at `path`, in words for a person.
StoreError storeError(const std::string& path, const QSqlError& error);

}  // namespace kvist::experiments
