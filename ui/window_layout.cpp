// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_layout.h"

#include <QScreen>

#include "ui/style/metrics.h"

namespace kvist::ui {

namespace {

/// Changes when docks or tool bars get other names or meanings, so that an old layout is not applied.
constexpr int kVersion = 1;

/// Usual size of the window in characters and half lines.
constexpr int kUsualWidth = 183;
constexpr int kUsualHeight = 100;

}  // namespace

WindowLayout::WindowLayout(QMainWindow& window, QMenu& menu) : m_window(window), m_menu(menu) {
    window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner}) {
        window.setCorner(corner, Qt::LeftDockWidgetArea);
    }
    for (const Qt::Corner corner : {Qt::TopRightCorner, Qt::BottomRightCorner}) {
        window.setCorner(corner, Qt::RightDockWidgetArea);
    }
}

QDockWidget* WindowLayout::addDock(const QString& id, const QString& title, QWidget* content, Qt::DockWidgetArea area,
                                   Extent extent) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(id);
    dock->setWidget(content);
    m_window.addDockWidget(area, dock);
    m_menu.addAction(dock->toggleViewAction());
    m_docks.push_back({dock, area, extent});
    return dock;
}

void WindowLayout::showUsual() {
    for (const Dock& dock : m_docks) {
        dock.widget->setFloating(false);
        dock.widget->show();
        m_window.addDockWidget(dock.area, dock.widget);
    }
    resize(Qt::Horizontal);
    resize(Qt::Vertical);
}

void WindowLayout::resize(Qt::Orientation orientation) {
    QList<QDockWidget*> widgets;
    QList<int> sizes;
    for (const Dock& dock : m_docks) {
        const int size = orientation == Qt::Horizontal ? textWidth(&m_window, dock.extent.width)
                                                       : spacingUnit(&m_window) * dock.extent.height;
        if (size > 0) {
            widgets << dock.widget;
            sizes << size;
        }
    }
    m_window.resizeDocks(widgets, sizes, orientation);
}

void WindowLayout::restore(const Settings& settings) {
    const QSize usual(textWidth(&m_window, kUsualWidth), spacingUnit(&m_window) * kUsualHeight);
    m_window.resize(usual.boundedTo(m_window.screen()->availableSize()));
    showUsual();
    m_window.restoreGeometry(settings.geometry());
    m_window.restoreState(settings.layout(), kVersion);
}

QByteArray WindowLayout::state() const {
    return m_window.saveState(kVersion);
}

}  // namespace kvist::ui
