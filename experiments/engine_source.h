// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "engine/api/engine.h"

namespace kvist::experiments {

/// The program's one engine, made by whichever thread needs it first (making it may take a while).
class EngineSource {
public:
    using Factory = std::function<std::unique_ptr<Engine>()>;

    explicit EngineSource(Factory factory) : m_factory(std::move(factory)) {}

    /// Throws what the factory throws; the next call tries again.
    Engine& engine() {
        const std::lock_guard lock(m_mutex);
        if (!m_engine) {
            m_engine = m_factory();
        }
        return *m_engine;
    }

private:
    Factory m_factory;
    std::mutex m_mutex;
    std::unique_ptr<Engine> m_engine;
};

}  // namespace kvist::experiments
