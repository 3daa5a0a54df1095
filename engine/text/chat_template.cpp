// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_template.h"

#include <algorithm>

#include "engine/files/gguf_file.h"
#include "engine/runtime/file_bytes.h"
#include "engine/text/jinja_literals.h"
#include "engine/text/tokenizer_config.h"

namespace kvist {
namespace {

const std::string kTurnEnd = "<|im_end|>\n";

std::string turnBegin(const std::string& role) {
    return "<|im_start|>" + role + "\n";
}

std::string turn(const ChatMessage& message) {
    return turnBegin(message.role) + message.content + kTurnEnd;
}

}  // namespace

const char* const kNoChatTemplate = "the model has no chat template like Qwen2.5's; the prompt was given plain";

std::optional<ChatTemplate> ChatTemplate::parse(std::string_view jinja) {
    const auto literals = jinjaLiterals(jinja);
    // What templates of the same markers say in front of an answer differs ("<think>").
    if (std::find(literals.begin(), literals.end(), turnBegin("assistant")) == literals.end()) {
        return std::nullopt;
    }
    const std::string begin = turnBegin("system");
    for (const std::string& literal : literals) {
        if (literal.starts_with(begin) && literal.ends_with(kTurnEnd)) {
            return ChatTemplate(literal.substr(begin.size(), literal.size() - begin.size() - kTurnEnd.size()));
        }
    }
    return ChatTemplate(std::nullopt);
}

std::string ChatTemplate::systemTurn() const {
    return m_systemPrompt ? turn({"system", *m_systemPrompt}) : std::string();
}

std::string ChatTemplate::render(const std::vector<ChatMessage>& messages) const {
    const bool beginsItself = !messages.empty() && messages.front().role == "system";
    std::string text = beginsItself ? std::string() : systemTurn();
    for (const ChatMessage& message : messages) {
        text += turn(message);
    }
    return text + turnBegin("assistant");
}

std::string ChatTemplate::beforeQuestion() const {
    return systemTurn() + turnBegin("user");
}

std::string ChatTemplate::afterQuestion() const {
    return kTurnEnd + turnBegin("assistant");
}

std::optional<ChatTemplate> readChatTemplate(const std::filesystem::path& model) {
    std::error_code error;
    if (std::filesystem::is_regular_file(model, error)) {
        const GgufFile gguf(model);
        return ChatTemplate::parse(gguf.metadata().text("tokenizer.chat_template").value_or(""));
    }
    // Where newer versions of transformers write the template, and read it first.
    if (const auto file = model / "chat_template.jinja"; std::filesystem::exists(file, error)) {
        return ChatTemplate::parse(readBytes(file));
    }
    return ChatTemplate::parse(readTokenizerConfig(model).chatTemplate);
}

}  // namespace kvist
