// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>

#include "engine/api/run_observer.h"
#include "engine/model/model_loader.h"
#include "engine/policies/calibration/calibration.h"

namespace kvist {

/// Calibrations by model, type, text and request: made when first asked for, then kept in memory and, where there
/// is a folder, in a file. A damaged file is made again.
class CalibrationStore {
public:
    /// `folder` and `text` may be empty: nothing is kept in files, and nothing can be made.
    CalibrationStore(std::filesystem::path folder, std::string text)
        : m_folder(std::move(folder)), m_text(std::move(text)) {}

    /// Throws EngineError(InvalidInput) where there is no text to calibrate with or where `measured`, the text that
    /// a run is about to measure (or empty), overlaps it, and what calibrate() throws.
    const Calibration& obtain(const LoadedModel& model, const CalibrationRequest& request, const std::string& measured,
                              RunObserver& observer, const std::stop_token& stop);

    /// What a result says about where its calibration comes from.
    std::string noteOf(const Calibration& calibration) const;

private:
    std::string keyOf(const LoadedModel& model, const CalibrationRequest& request) const;

    const std::filesystem::path m_folder;
    const std::string m_text;
    std::map<std::string, Calibration> m_made;  // by key
};

}  // namespace kvist
