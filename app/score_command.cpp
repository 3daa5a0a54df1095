// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/score_command.h"

#include <QSaveFile>
#include <iostream>

#include "app/engine_job.h"
#include "app/engine_options.h"
#include "app/exit_code.h"
#include "app/json_values.h"
#include "app/progress_line.h"
#include "app/run_settings.h"
#include "experiments/number_text.h"

namespace kvist::app {
namespace {

class ShownProgress : public RunObserver {
public:
    void onPhase(RunPhase phase) override {
        m_phase = phase;
        m_line.show(phaseText(phase));
    }
    void onProgress(std::int64_t done, std::int64_t total) override { m_line.show(progressText(m_phase, done, total)); }
    void onMetric(std::string_view, double, double) override {}

private:
    RunPhase m_phase = RunPhase::Loading;
    ProgressLine m_line;
};

void writeNll(const std::string& path, const std::vector<float>& values) {
    QSaveFile file(QString::fromStdString(path));
    if (file.open(QIODevice::WriteOnly)) {
        for (const float value : values) {
            file.write((experiments::numberText(value) + '\n').c_str());
        }
    }
    if (!file.commit()) {
        throw EngineError(ErrorKind::UnreadableFile,
                          "--nll " + path + " cannot be written: " + file.errorString().toStdString());
    }
}

}  // namespace

int scoreText(const CommandLine& line, const std::string& resources) {
    return runEngineJob(engineOptions(resources), [&](Engine& engine, std::stop_token stop) {
        const RunSettings settings = settingsOf(line, engine, resources, line.warm + line.scoreTokens, stop);
        RunConfig config;
        config.model = settings.model;
        config.text = {foundPath(line.subject, resources), line.whole ? Segmentation::Whole : Segmentation::Lines};
        config.text.field = line.field;
        config.policy = settings.policy;
        config.policyParameters = settings.parameters;
        config.store = settings.store;
        config.storeParameters = settings.storeParameters;
        config.budget = settings.budget;
        config.warm = line.warm;
        config.score = line.scoreTokens;
        config.chunk = line.chunk;
        config.seed = line.seed;
        RunResult result;
        {
            ShownProgress progress;
            result = engine.run(config, progress, stop);
        }
        if (!line.nll.empty()) {
            writeNll(line.nll, result.tokenNll);
        }
        std::cout << jsonValue(config, result).dump(2) << std::endl;
        return kAllFinished;
    });
}

}  // namespace kvist::app
