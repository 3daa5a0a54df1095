// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/text_file.h"

#include <filesystem>

#include "engine/api/engine_error.h"
#include "engine/api/text_field.h"
#include "engine/runtime/file_bytes.h"
#include "engine/text/json_lines.h"
#include "engine/text/text_encoding.h"

namespace kvist {
namespace {

void endLinesAlike(std::string& text) {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool isReturn = text[at] == '\r';
        if (isReturn && at + 1 < text.size() && text[at + 1] == '\n') {
            continue;
        }
        text[kept++] = isReturn ? '\n' : text[at];
    }
    text.resize(kept);
}

}  // namespace

std::string readTextBytes(const std::string& file) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (!error && size > kMostTextBytes) {
        throwUnreadable(file, "has " + std::to_string(size >> 20) + " MiB; texts of up to " +
                                  std::to_string(kMostTextBytes >> 20) + " MiB are read: choose a part of it");
    }
    return readBytes(file);
}

std::string textOf(const std::string& bytes, const TextChoice& text) {
    if (!text.field.empty() && !isJsonLines(text.file)) {
        throw EngineError(ErrorKind::InvalidInput,
                          text.file + ": the field " + text.field + " was chosen, but only .jsonl files have fields");
    }
    std::string content = toUtf8(bytes, text.file);
    if (isJsonLines(text.file)) {
        content = textOfJsonLines(content, textField(text), text.file);
    }
    endLinesAlike(content);
    return content;
}

}  // namespace kvist
