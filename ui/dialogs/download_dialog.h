// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QThread>

#include "experiments/hub/hub_download.h"

namespace kvist::ui {

/// Fetches a model of the Hugging Face hub into the user's cache: repository, revision, optionally one GGUF file;
/// progress, speed and time left; what was stopped goes on the next time. Closing it stops the download.
class DownloadDialog : public QDialog {
    Q_OBJECT
public:
    explicit DownloadDialog(const experiments::HubSettings& settings, QWidget* parent = nullptr);
    ~DownloadDialog() override;

Q_SIGNALS:
    /// The folder or GGUF file to open; the dialog closes itself.
    void downloaded(const QString& path);

private:
    void start();
    void stop();
    void showProgress(const experiments::HubProgress& progress);
    void showFields(bool isRunning);

    const experiments::HubSettings m_settings;
    QLineEdit* m_repository;
    QLineEdit* m_revision;
    QLineEdit* m_file;
    QProgressBar* m_bar;
    QLabel* m_state;
    QPushButton* m_button;
    QThread m_thread;  // hashing what is there must not hold the window up
    QPointer<experiments::HubDownload> m_download;
};

}  // namespace kvist::ui
