// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/download_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLocale>
#include <algorithm>

#include "ui/style/metrics.h"
#include "ui/widgets/role_label.h"

namespace kvist::ui {

namespace {

/// The bar counts in thousandths, as bytes of a large model exceed its range.
constexpr int kSteps = 1000;

QString sizeText(double bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

}  // namespace

DownloadDialog::DownloadDialog(const experiments::HubSettings& settings, QWidget* parent)
    : QDialog(parent),
      m_settings(settings),
      m_repository(new QLineEdit(this)),
      m_revision(new QLineEdit(QStringLiteral("main"), this)),
      m_file(new QLineEdit(this)),
      m_bar(new QProgressBar(this)),
      m_state(makeLabel({}, TextRole::Muted, this)),
      m_button(new QPushButton(tr("&Download"), this)) {
    setWindowTitle(tr("Download from Hugging Face"));
    setObjectName(QStringLiteral("downloadDialog"));
    m_repository->setObjectName(QStringLiteral("repository"));
    m_repository->setPlaceholderText(QStringLiteral("Qwen/Qwen2.5-0.5B"));
    m_revision->setObjectName(QStringLiteral("revision"));
    m_file->setObjectName(QStringLiteral("file"));
    m_file->setPlaceholderText(tr("empty for the safetensors model"));
    m_bar->setRange(0, kSteps);
    m_bar->setAccessibleName(tr("Progress of the download"));
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setText(tr("Goes to %1; a download that was stopped goes on from there.")
                         .arg(QDir::toNativeSeparators(m_settings.cache)));
    m_button->setObjectName(QStringLiteral("download"));
    m_button->setDefault(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_button, QDialogButtonBox::ActionRole);
    auto* form = new QFormLayout(this);
    form->setSpacing(spacingUnit(this));
    form->addRow(tr("&Repository"), m_repository);
    form->addRow(tr("Re&vision"), m_revision);
    form->addRow(tr("&GGUF file"), m_file);
    form->addRow(m_bar);
    form->addRow(m_state);
    form->addRow(buttons);
    setMinimumWidth(textWidth(this, 64));

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, this, &DownloadDialog::stop);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_download) {
            stop();
            m_state->setText(tr("Stopped. It goes on from here the next time."));
        } else {
            start();
        }
    });
    connect(m_repository, &QLineEdit::textChanged, this, [this] { showFields(!m_download.isNull()); });
    showFields(false);
    m_thread.setObjectName(QStringLiteral("download"));
    m_thread.start();
}

DownloadDialog::~DownloadDialog() {
    stop();
    m_thread.quit();
    m_thread.wait();
}

void DownloadDialog::start() {
    experiments::HubRequest request;
    request.repository = m_repository->text().trimmed();
    request.revision = m_revision->text().trimmed();
    request.file = m_file->text().trimmed();
    m_download = new experiments::HubDownload(m_settings, request);
    m_download->moveToThread(&m_thread);
    connect(m_download, &experiments::HubDownload::progressed, this, &DownloadDialog::showProgress);
    connect(m_download, &experiments::HubDownload::failed, this, [this](const QString& message) {
        stop();
        m_state->setText(message);
        setTextRole(m_state, TextRole::Error);
    });
    connect(m_download, &experiments::HubDownload::finished, this, [this](const QString& path) {
        stop();
        Q_EMIT downloaded(path);
        accept();
    });
    setTextRole(m_state, TextRole::Muted);
    m_state->setText(tr("Asking for the list of files…"));
    showFields(true);
    QMetaObject::invokeMethod(m_download, &experiments::HubDownload::start, Qt::QueuedConnection);
}

void DownloadDialog::stop() {
    if (m_download) {
        m_download->disconnect(this);
        m_download->deleteLater();  // in its thread; what it has written stays
        m_download.clear();
    }
    showFields(false);
}

void DownloadDialog::showProgress(const experiments::HubProgress& progress) {
    const auto total = static_cast<double>(std::max<qint64>(1, progress.total));
    m_bar->setValue(static_cast<int>(static_cast<double>(progress.done) / total * kSteps));
    QString text = tr("%1 of %2").arg(sizeText(static_cast<double>(progress.done)), sizeText(total));
    if (progress.perSecond > 0 && progress.done < progress.total) {
        const auto seconds = static_cast<int>(static_cast<double>(progress.total - progress.done) / progress.perSecond);
        text += tr(" · %1/s · %2 min %3 s left")
                    .arg(sizeText(progress.perSecond))
                    .arg(seconds / 60)
                    .arg(seconds % 60, 2, 10, QLatin1Char('0'));
    }
    m_state->setText(progress.file.isEmpty() ? text : tr("%1\n%2").arg(progress.file, text));
}

void DownloadDialog::showFields(bool isRunning) {
    for (QLineEdit* edit : {m_repository, m_revision, m_file}) {
        edit->setEnabled(!isRunning);
    }
    m_button->setText(isRunning ? tr("&Stop") : tr("&Download"));
    m_button->setEnabled(isRunning || !m_repository->text().trimmed().isEmpty());
}

}  // namespace kvist::ui
