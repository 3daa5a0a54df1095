// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/file_bytes.h"
#include "engine/text/byte_level_bpe.h"
#include "engine/text/sentencepiece_tokenizer.h"
#include "engine/text/tokenizer.h"

namespace kvist {

std::unique_ptr<Tokenizer> openTokenizer(const std::filesystem::path& model) {
    std::error_code noFile;
    if (std::filesystem::is_regular_file(model, noFile)) {
        return std::make_unique<ByteLevelBpe>(readGgufTokenizer(model));
    }
    const auto has = [&](const char* name) {
        std::error_code error;
        return std::filesystem::exists(model / name, error);
    };
    if (has("tokenizer.model")) {
        return std::make_unique<SentencePieceTokenizer>(model / "tokenizer.model");
    }
    if (has("tokenizer.json")) {
        return std::make_unique<ByteLevelBpe>(readTokenizerJson(model));
    }
    if (has("vocab.json") || has("merges.txt")) {
        return std::make_unique<ByteLevelBpe>(readVocabAndMerges(model));
    }
    throwUnreadable(model, has(".") ? "has no tokenizer; looked for tokenizer.model, tokenizer.json, and vocab.json "
                                      "with merges.txt: copy them from where the model was published"
                                    : "no such folder");
}

}  // namespace kvist
