// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/calibration/calibration_store.h"

#include "engine/api/engine_error.h"
#include "engine/policies/calibration/calibration_file.h"
#include "engine/policies/calibration/calibrator.h"
#include "engine/policies/calibration/text_overlap.h"
#include "engine/runtime/content_hash.h"
#include "engine/runtime/mapped_file.h"

namespace kvist {

std::string CalibrationStore::keyOf(const LoadedModel& model, const CalibrationRequest& request) const {
    ContentHash hash;
    hash.addText(model.info.fingerprint);
    hash.addText(dtypeName(model.compute));
    const std::int64_t numbers[] = {static_cast<std::int64_t>(request.kind), request.sinks, request.recent,
                                    kCalibrationTokens};
    hash.addValues(numbers);
    hash.add(MappedFile(m_text).bytes());
    return hash.digest();
}

const Calibration& CalibrationStore::obtain(const LoadedModel& model, const CalibrationRequest& request,
                                            const std::string& measured, RunObserver& observer,
                                            const std::stop_token& stop) {
    if (m_text.empty()) {
        throw EngineError(ErrorKind::InvalidInput, "this policy is calibrated with a text, and none was given");
    }
    if (!measured.empty() && shareLines(m_text, measured)) {
        throw EngineError(ErrorKind::InvalidInput,
                          measured + ": this policy is calibrated with " +
                              std::filesystem::path(m_text).filename().string() +
                              ", which shares lines with this text; measure it on another text");
    }
    const std::string key = keyOf(model, request);
    if (const auto found = m_made.find(key); found != m_made.end()) {
        return found->second;
    }
    const std::filesystem::path file = m_folder / "calibrations" / (key + ".json");
    std::optional<Calibration> calibration;
    if (!m_folder.empty()) {
        calibration = readCalibration(file, key);
    }
    if (!calibration) {
        const auto tokens = model.texts->read({m_text, Segmentation::Whole}, kCalibrationTokens, stop);
        calibration = calibrate(*model.decoder, request, tokens, observer, stop);
        if (!m_folder.empty()) {
            writeCalibration(file, key, *calibration);  // without the file it is made again next time
        }
    }
    return m_made.emplace(key, std::move(*calibration)).first->second;
}

std::string CalibrationStore::noteOf(const Calibration& calibration) const {
    return "calibrated with " + std::filesystem::path(m_text).filename().string() + ", " + calibration.digest;
}

}  // namespace kvist
