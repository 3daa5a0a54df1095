// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QString>
#include <memory>

namespace kvist::experiments {
class SweepController;
}

namespace kvist::ui {

class Theme;

struct WindowOptions {
    QString resources;  ///< folder with demo_model/ and texts/
    QString sweepFile;  ///< shown at the start; empty: the preset "Budget curve"
    QString storePath;  ///< opened at the start; empty: the last one, or results.sqlite in the user's data folder
};

/// The window. Needs a QApplication with names set, one Theme and a controller that outlive it; opens the
/// store and plans the sweep by itself. Never waits for the controller.
///
///     Theme theme;
///     SweepController controller(options);
///     MainWindow window(controller, theme, {.resources = …});
///     window.show();
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(experiments::SweepController& controller, Theme& theme, const WindowOptions& options,
               QWidget* parent = nullptr);
    ~MainWindow() override;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace kvist::ui
