// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_source.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "engine/files/file_kind.h"
#include "engine/files/gguf_parts.h"
#include "engine/runtime/file_bytes.h"

namespace kvist {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCachePrefix = "models--";

/// Absolute and without links, except that the last part keeps its name: in the Hugging Face cache a file is a link to
/// a blob that is named by its hash, and the parts of a split file are found by their names.
fs::path located(const fs::path& file) {
    return fs::canonical(file.parent_path()) / file.filename();
}

fs::path locateFile(const fs::path& file) {
    switch (fileKind(file)) {
        case FileKind::Gguf:
            return ggufParts(located(file)).front();
        case FileKind::Safetensors:
            throwUnreadable(file, "a safetensors file; choose the folder that holds it together with config.json");
        case FileKind::Other:
            break;
    }
    throwUnreadable(file,
                    describeFile(file) + "; choose a folder with config.json and safetensors files, or a GGUF file");
}

/// The first files of the GGUF models in a folder.
std::set<fs::path> ggufModels(const fs::path& folder) {
    std::set<fs::path> models;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".gguf" && entry.is_regular_file()) {
            models.insert(ggufParts(entry.path()).front());
        }
    }
    return models;
}

/// The snapshot that "main" names, or else the newest.
fs::path snapshotOf(const fs::path& repository) {
    const fs::path snapshots = repository / "snapshots";
    std::string commit;
    std::ifstream(repository / "refs" / "main") >> commit;
    if (!commit.empty() && fs::is_directory(snapshots / commit)) {
        return snapshots / commit;
    }
    std::optional<fs::directory_entry> newest;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(snapshots, error)) {
        if (entry.is_directory() && (!newest || entry.last_write_time() > newest->last_write_time())) {
            newest = entry;
        }
    }
    if (!newest) {
        throwUnreadable(repository, "an entry of the Hugging Face cache without a snapshot; download the model again");
    }
    return newest->path();
}

fs::path locateFolder(const fs::path& folder) {
    std::error_code ignored;  // of a folder that may not be read or a name that is too long, said later
    if (fs::exists(folder / "config.json", ignored)) {
        return folder;
    }
    if (folder.filename().string().starts_with(kCachePrefix)) {
        return locateFolder(snapshotOf(folder));
    }
    const std::set<fs::path> models = ggufModels(folder);
    if (models.size() == 1) {
        return locateFile(*models.begin());
    }
    if (models.empty()) {
        throwUnreadable(
            folder,
            "no model: there is neither config.json nor a GGUF file; choose the folder that holds config.json "
            "and the safetensors files");
    }
    std::string names;
    for (const fs::path& model : models) {
        names += (names.empty() ? "" : ", ") + model.filename().string();
    }
    throwUnreadable(folder,
                    "holds " + std::to_string(models.size()) + " GGUF models (" + names + "); choose one of the files");
}

}  // namespace

fs::path locateModel(const fs::path& given) {
    try {
        const fs::path path = fs::absolute(given);
        return fs::is_directory(path) ? locateFolder(fs::canonical(path)) : locateFile(path);
    } catch (const fs::filesystem_error& error) {
        throwUnreadable(given, error.code().message());
    }
}

std::string modelName(const fs::path& located) {
    if (fs::is_directory(located)) {
        // …/models--Qwen--Qwen2.5-0.5B/snapshots/<commit>
        const std::string repository = located.parent_path().parent_path().filename().string();
        const std::size_t last = repository.rfind("--");
        const bool isSnapshot = located.parent_path().filename() == "snapshots" && repository.starts_with(kCachePrefix);
        return isSnapshot ? repository.substr(last + 2) : located.filename().string();
    }
    if (located.extension() != ".gguf") {  // Ollama names its files by their hash
        const GgufFile file(located);
        const auto name = file.metadata().text("general.name");
        return std::string(name.value_or(std::string_view(located.filename().native())));
    }
    const std::string stem = located.stem().string();
    const bool isSplit = ggufParts(located).size() > 1;
    return isSplit ? stem.substr(0, stem.size() - std::string_view("-00001-of-00002").size()) : stem;
}

}  // namespace kvist
