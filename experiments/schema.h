// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "experiments/store_connection.h"

namespace kvist::experiments {

/// Statements that bring a store from one version to the next. A released one is never changed.
using Migration = QStringList;

/// Migration n leads to version n + 1; version 0 is an empty file.
const std::vector<Migration>& storeMigrations();

/// Throws StoreError for a database of another program and for a store that a newer version of this program
/// has written. Changes nothing.
void checkIsStore(StoreConnection& connection, const std::vector<Migration>& migrations = storeMigrations());

/// Brings a store that checkIsStore has passed to the newest version, each step in a transaction of its own.
void migrate(StoreConnection& connection, const std::vector<Migration>& migrations = storeMigrations());

}  // namespace kvist::experiments
