// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/export_center.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSaveFile>
#include <QThreadPool>

#include "experiments/csv_writer.h"
#include "ui/charts/chart_export.h"
#include "ui/report/html_report.h"

namespace kvist::ui {

namespace {

QString problemOf(const QSaveFile& file) {
    return ExportCenter::tr("Cannot write %1: %2. Choose another folder.")
        .arg(QDir::toNativeSeparators(file.fileName()), file.errorString());
}

QString saveBytes(const QByteArray& bytes, const QString& path) {
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit() ? QString()
                                                                                                 : problemOf(file);
}

QString saveImage(const QImage& image, const QString& path) {
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && image.save(&file, "PNG") && file.commit() ? QString() : problemOf(file);
}

}  // namespace

ExportCenter::ExportCenter(Settings& settings, QWidget* window)
    : QObject(window), m_settings(settings), m_window(window) {}

void ExportCenter::askPicture(const ChartSpec& spec, int scale) {
    askFile(tr("Export chart"), spec.fileName() + QStringLiteral(".png"), tr("PNG pictures (*.png)"),
            [this, spec, scale](const QString& path) { writePicture(spec, scale, path); });
}

void ExportCenter::askSvg(const ChartSpec& spec) {
    askFile(tr("Export chart"), spec.fileName() + QStringLiteral(".svg"), tr("SVG pictures (*.svg)"),
            [this, spec](const QString& path) { writeSvg(spec, path); });
}

void ExportCenter::askChartCsv(const ChartSpec& spec) {
    askFile(tr("Export points"), spec.fileName() + QStringLiteral(".csv"), tr("CSV tables (*.csv)"),
            [this, spec](const QString& path) { writeChartCsv(spec, path); });
}

void ExportCenter::askTable(const std::vector<experiments::RunRecord>& records) {
    askFile(tr("Export runs"), QStringLiteral("runs.csv"), tr("CSV tables (*.csv)"),
            [this, records](const QString& path) { writeTable(records, path); });
}

void ExportCenter::askReport(const std::vector<experiments::RunRecord>& records, const std::vector<ChartSpec>& specs) {
    askFile(tr("Export report"), QStringLiteral("report.html"), tr("Web pages (*.html)"),
            [this, records, specs](const QString& path) { writeReport(records, specs, path); });
}

void ExportCenter::copyPicture(const ChartSpec& spec) {
    QGuiApplication::clipboard()->setImage(chartImage(spec, 2));
}

void ExportCenter::askAllCharts(const std::vector<ChartSpec>& specs) {
    auto* dialog = new QFileDialog(m_window, tr("Export all charts into a folder"), m_settings.exportFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this, specs](const QString& folder) {
        m_settings.setExportFolder(folder);
        QStringList there;
        for (const ChartSpec& spec : specs) {
            for (const char* suffix : {".png", ".csv"}) {
                const QString name = spec.fileName() + QLatin1String(suffix);
                if (!spec.isEmpty() && QFileInfo::exists(QDir(folder).filePath(name))) {
                    there << name;
                }
            }
        }
        if (there.isEmpty()) {
            writeAllCharts(specs, folder);
            return;
        }
        auto* box =
            new QMessageBox(QMessageBox::Warning, tr("Replace files"),
                            tr("The folder has %n of these files already.", nullptr, static_cast<int>(there.size())),
                            QMessageBox::Cancel, m_window);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->setDetailedText(there.join(QLatin1Char('\n')));
        connect(box->addButton(tr("Replace"), QMessageBox::DestructiveRole), &QPushButton::clicked, this,
                [this, specs, folder] { writeAllCharts(specs, folder); });
        box->open();
    });
    dialog->open();
}

void ExportCenter::writePicture(const ChartSpec& spec, int scale, const QString& path) {
    const QImage image = chartImage(spec, scale);
    writeInBackground(path, [image, path] { return saveImage(image, path); });
}

void ExportCenter::writeSvg(const ChartSpec& spec, const QString& path) {
    const QByteArray svg = chartSvg(spec);
    writeInBackground(path, [svg, path] { return saveBytes(svg, path); });
}

void ExportCenter::writeChartCsv(const ChartSpec& spec, const QString& path) {
    const QByteArray csv = chartCsv(spec);
    writeInBackground(path, [csv, path] { return saveBytes(csv, path); });
}

void ExportCenter::writeAllCharts(const std::vector<ChartSpec>& specs, const QString& folder) {
    std::vector<std::pair<QString, QImage>> images;
    std::vector<std::pair<QString, QByteArray>> tables;
    for (const ChartSpec& spec : specs) {
        if (!spec.isEmpty()) {
            images.emplace_back(QDir(folder).filePath(spec.fileName() + QStringLiteral(".png")), chartImage(spec, 2));
            tables.emplace_back(QDir(folder).filePath(spec.fileName() + QStringLiteral(".csv")), chartCsv(spec));
        }
    }
    writeInBackground(folder, [images, tables] {
        for (const auto& [path, image] : images) {
            if (const QString problem = saveImage(image, path); !problem.isEmpty()) {
                return problem;
            }
        }
        for (const auto& [path, table] : tables) {
            if (const QString problem = saveBytes(table, path); !problem.isEmpty()) {
                return problem;
            }
        }
        return QString();
    });
}

void ExportCenter::writeTable(const std::vector<experiments::RunRecord>& records, const QString& path) {
    writeInBackground(path, [records, path] {
        const auto written = experiments::writeCsvFile(path.toStdString(), records);
        return written ? QString() : QString::fromStdString(written.refusal().message);
    });
}

void ExportCenter::writeReport(const std::vector<experiments::RunRecord>& records, const std::vector<ChartSpec>& specs,
                               const QString& path) {
    const QByteArray html = htmlReport(records, specs).toUtf8();
    writeInBackground(path, [html, path] { return saveBytes(html, path); });
}

void ExportCenter::askFile(const QString& title, const QString& name, const QString& filter,
                           const std::function<void(const QString&)>& write) {
    auto* dialog = new QFileDialog(m_window, title, m_settings.exportFolder(), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(name).suffix());
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, this, [this, write](const QString& path) {
        m_settings.setExportFolder(QFileInfo(path).absolutePath());
        write(path);
    });
    dialog->open();
}

void ExportCenter::writeInBackground(const QString& path, std::function<QString()> write) {
    QThreadPool::globalInstance()->start([center = QPointer<ExportCenter>(this), path, write = std::move(write)] {
        const QString problem = write();
        QMetaObject::invokeMethod(
            qApp,
            [center, path, problem] {
                if (center == nullptr) {
                    return;
                }
                if (problem.isEmpty()) {
                    Q_EMIT center->exported(path);
                } else {
                    Q_EMIT center->exportRefused(problem);
                }
            },
            Qt::QueuedConnection);
    });
}

}  // namespace kvist::ui
