// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/score_command.h"

#include <iostream>

#include "app/engine_job.h"
#include "app/engine_options.h"
#include "app/exit_code.h"
#include "app/json_values.h"
#include "app/output_check.h"
#include "app/progress_line.h"
#include "app/run_settings.h"
#include "experiments/file_text.h"
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
    std::string lines;
    for (const float value : values) {
        lines += experiments::numberText(value) + '\n';
    }
    if (const auto written = experiments::writeFile(path, lines); !written) {
        throw EngineError(ErrorKind::UnreadableFile, "--nll " + written.refusal().message);
    }
}

}  // namespace

int scoreText(const CommandLine& line, const std::string& resources) {
    checkOutputFile("--nll", line.nll);
    return runEngineJob(engineOptions(resources), [&](Engine& engine, std::stop_token stop) {
        RunConfig config = settingsOf(line, engine, resources, line.warm + line.scoreTokens, stop);
        config.text = {foundPath(line.subject, resources), line.whole ? Segmentation::Whole : Segmentation::Lines,
                       line.field};
        config.warm = line.warm;
        config.score = line.scoreTokens;
        if (!line.protocol.empty()) {
            config.evaluationParameters["protocol"] = line.protocol;
        }
        if (line.divergence) {
            config.evaluationParameters["divergence"] = true;
        }
        RunResult result;
        {
            ShownProgress progress;
            result = engine.run(config, progress, stop);
        }
        std::cout << jsonValue(config, result).dump(2) << std::endl;
        if (!line.nll.empty()) {
            writeNll(line.nll, result.tokenNll);
        }
        return kAllFinished;
    });
}

}  // namespace kvist::app
