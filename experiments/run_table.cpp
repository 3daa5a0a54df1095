// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_table.h"

#include <utility>

namespace kvist::experiments {

void RunTable::reset(std::vector<RunRecord> records) {
    *this = {};
    for (RunRecord& record : records) {
        put(std::move(record));
    }
}

void RunTable::put(RunRecord record) {
    const auto [place, isNew] = m_places.try_emplace(record.id, m_records.size());
    if (isNew) {
        m_records.emplace_back();
    }
    RunRecord& held = m_records[place->second];
    const bool wasFinished = held.state == RunState::Finished;
    held = std::move(record);
    if (!wasFinished && held.state == RunState::Finished) {
        learn(held);
    }
}

void RunTable::learn(const RunRecord& record) {
    RunId& newest = m_finished[record.key];
    newest = std::max(newest, record.id);
    m_estimator.add(record);
}

const RunRecord* RunTable::find(RunId id) const {
    const auto place = m_places.find(id);
    return place == m_places.end() ? nullptr : &m_records[place->second];
}

RunRecord* RunTable::find(RunId id) {
    return const_cast<RunRecord*>(std::as_const(*this).find(id));
}

}  // namespace kvist::experiments
