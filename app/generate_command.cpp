// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/generate_command.h"

#include <iostream>
#include <iterator>

#include "app/engine_job.h"
#include "app/engine_options.h"
#include "app/exit_code.h"
#include "app/run_settings.h"

namespace kvist::app {
namespace {

/// Notes go beside the text, to standard error.
class NotePrinter : public SilentObserver {
public:
    void onNote(std::string_view note) override { std::cerr << "kvist: " << note << std::endl; }
};

}  // namespace

int generateText(const CommandLine& line, const std::string& resources) {
    return runEngineJob(engineOptions(resources), [&](Engine& engine, std::stop_token stop) {
        const RunConfig settings = settingsOf(line, engine, resources, 0, stop);
        GenerationRequest request;
        request.model = settings.model;
        request.prompt = line.subject;
        if (line.subject == "-") {
            request.prompt.assign(std::istreambuf_iterator<char>(std::cin), {});
        }
        request.policy = settings.policy;
        request.policyParameters = settings.policyParameters;
        request.store = settings.store;
        request.storeParameters = settings.storeParameters;
        request.budget = settings.budget;
        request.chunk = settings.chunk;
        request.seed = settings.seed;
        request.tokens = line.tokens;
        request.isChat = line.chat;
        NotePrinter observer;
        engine.generate(
            request, [](std::string_view piece) { std::cout << piece << std::flush; }, observer, stop);
        std::cout << std::endl;
        return kAllFinished;
    });
}

}  // namespace kvist::app
