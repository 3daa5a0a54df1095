// SPDX-License-Identifier: GPL-3.0-or-later
// Folders, GGUF files and what other programs have left are chosen alike.
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/widgets/model_picker.h"

namespace kvist::ui {

class ModelPickerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("HF_HUB_CACHE", m_folder->filePath("hub").toUtf8());
        qputenv("OLLAMA_MODELS", m_folder->filePath("ollama").toUtf8());
        qputenv("HOME", m_folder->path().toUtf8());
    }

    void showsTheNameOfAFile() {
        ModelPicker picker;
        experiments::Sweep sweep;
        sweep.models = {"/models/qwen2.5-0.5b-q8_0.gguf"};
        picker.readFrom(sweep);
        QCOMPARE(picker.findChild<QPushButton*>("model")->text(), QString("qwen2.5-0.5b-q8_0.gguf"));
        experiments::Sweep given;
        picker.writeTo(given);
        QCOMPARE(given.models, sweep.models);
    }

    void listsWhatOtherProgramsHaveNow() {
        ModelPicker picker;
        picker.setChoices("resources/demo_model", {});
        QMenu* menu = localMenu(picker);
        QVERIFY(menu != nullptr);
        show(*menu);
        QCOMPARE(menu->actions().size(), 1);
        QVERIFY(!menu->actions().front()->isEnabled());

        const QString snapshot = m_folder->filePath("hub/models--Qwen--Qwen2.5-0.5B/snapshots/abc");
        QVERIFY(QDir().mkpath(snapshot));
        write(snapshot + "/config.json", R"({"model_type": "qwen2"})");
        write(snapshot + "/model.safetensors", "");
        show(*menu);
        QAction* action = nullptr;
        for (QAction* each : menu->actions()) {
            action = each->text() == "Qwen/Qwen2.5-0.5B" ? each : action;
        }
        QVERIFY(action != nullptr);
        QSignalSpy chosen(&picker, &ModelPicker::folderChosen);
        action->trigger();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(), m_folder->filePath("hub/models--Qwen--Qwen2.5-0.5B"));
    }

    void theListSurvivesNewChoices() {
        ModelPicker picker;
        picker.setChoices("resources/demo_model", {});
        picker.setChoices("resources/demo_model", {"/models/one"});
        QVERIFY(localMenu(picker) != nullptr);
        show(*localMenu(picker));
    }

private:
    static QMenu* localMenu(const ModelPicker& picker) {
        QMenu* found = nullptr;
        for (QAction* action : picker.findChild<QPushButton*>("model")->menu()->actions()) {
            found = action->menu() != nullptr ? action->menu() : found;
        }
        return found;
    }

    static void show(QMenu& menu) { Q_EMIT menu.aboutToShow(); }

    static void write(const QString& path, const QByteArray& bytes) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::ModelPickerTest)
#include "model_picker_test.moc"
