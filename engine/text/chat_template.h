// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvist {

struct ChatMessage {
    std::string role;  ///< system, user, assistant
    std::string content;
};

/// How Qwen2.5's chat models want a conversation written, without tools: each message between "<|im_start|>role\n" and
/// "<|im_end|>\n", and in front the model's own system prompt where the conversation does not begin with one. Gives
/// the text that the published Jinja template gives.
class ChatTemplate {
public:
    /// Without a system prompt nothing is put in front.
    explicit ChatTemplate(std::optional<std::string> systemPrompt) : m_systemPrompt(std::move(systemPrompt)) {}

    /// The template that a Jinja text stands for, with the system prompt found in it; none where the text is of
    /// another kind.
    static std::optional<ChatTemplate> parse(std::string_view jinja);

    /// The conversation and the beginning of the assistant's next turn.
    std::string render(const std::vector<ChatMessage>& messages) const;

    /// What render() puts before and after the content of one user's message.
    std::string beforeQuestion() const;
    std::string afterQuestion() const;

private:
    std::string systemTurn() const;

    std::optional<std::string> m_systemPrompt;
};

/// What is said where readChatTemplate() finds none.
extern const char* const kNoChatTemplate;

/// The chat template of a model folder (chat_template.jinja, else tokenizer_config.json) or GGUF file
/// ("tokenizer.chat_template"); none where the model has none or one of another kind. Throws
/// EngineError(UnreadableFile).
std::optional<ChatTemplate> readChatTemplate(const std::filesystem::path& model);

}  // namespace kvist
