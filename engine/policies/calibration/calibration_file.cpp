// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policies/calibration/calibration_file.h"

#include <ATen/ops/tensor.h>

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "engine/api/engine_error.h"
#include "engine/runtime/content_hash.h"
#include "engine/runtime/json_file.h"
#include "engine/runtime/replace_file.h"

namespace kvist {

std::string digestOf(const at::Tensor& values) {
    const at::Tensor plain = values.to(at::kCPU, at::kFloat).contiguous();
    ContentHash hash;
    hash.addValues(plain.sizes());
    hash.addValues(std::span(plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())));
    return hash.digest();
}

std::optional<Calibration> readCalibration(const std::filesystem::path& file, const std::string& key) {
    if (!std::filesystem::exists(file)) {
        return std::nullopt;
    }
    try {
        const nlohmann::json document = readJsonObject(file);
        const auto shape = document.at("shape").get<std::vector<std::int64_t>>();
        const auto numbers = document.at("values").get<std::vector<float>>();
        Calibration calibration{at::tensor(numbers, at::kFloat).view(shape), document.at("digest").get<std::string>()};
        const bool isWhole = document.at("key") == key && digestOf(calibration.values) == calibration.digest;
        return isWhole ? std::optional(calibration) : std::nullopt;
    } catch (const std::exception&) {  // of any of the libraries: what cannot be read is made again
        return std::nullopt;
    }
}

bool writeCalibration(const std::filesystem::path& file, const std::string& key, const Calibration& calibration) {
    const at::Tensor plain = calibration.values.contiguous();
    const auto* values = plain.data_ptr<float>();
    const nlohmann::json document = {{"kvist_calibration", 1},
                                     {"key", key},
                                     {"digest", calibration.digest},
                                     {"shape", plain.sizes().vec()},
                                     {"values", std::vector<float>(values, values + plain.numel())}};
    return replaceFile(file, [&](std::ostream& stream) { stream << document.dump() << '\n'; });
}

}  // namespace kvist
