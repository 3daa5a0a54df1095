// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QString>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "engine/api/engine.h"
#include "experiments/sweep_controller.h"
#include "ui/main_window.h"
#include "ui/style/theme.h"

namespace kvist::test {

/// A window with everything it needs in a folder of its own: settings, results and files go away with it.
class WindowFixture {
public:
    explicit WindowFixture(std::function<std::unique_ptr<Engine>()> makeEngine);
    ~WindowFixture();

    /// Closes the window and the controller and opens new ones over the same files, as a new start would.
    void restart();

    ui::MainWindow& window() { return *m_window; }
    experiments::SweepController& controller() { return *m_controller; }
    ui::Theme& theme() { return m_theme; }
    QString path(const QString& name) const { return m_folder.filePath(name); }

    template <typename T>
    T* find(const QString& name = {}) {
        return m_window->findChild<T*>(name);
    }

    /// Waits until Start can be pressed, presses it and waits for the end of the sweep.
    void waitUntilReady();
    void startAndFinish(int timeoutMs = 60000);
    /// Lets the window take over what was reported last.
    void settle();

private:
    void open();

    std::function<std::unique_ptr<Engine>()> m_makeEngine;
    QTemporaryDir m_folder;
    ui::Theme m_theme;
    std::unique_ptr<experiments::SweepController> m_controller;
    std::unique_ptr<ui::MainWindow> m_window;
};

/// The action with this text, "&" left out.
QAction* actionNamed(const QWidget& window, const QString& text);

/// To be called first in every test program that opens a window: settings go to a place of their own.
void isolateSettings();

}  // namespace kvist::test
