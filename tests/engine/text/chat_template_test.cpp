// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_template.h"

#include <gtest/gtest.h>

#include "engine/text/jinja_literals.h"
#include "tests/engine/support/engine_error_matcher.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/golden_files.h"
#include "tests/engine/support/temporary_folder.h"
#include "tests/engine/text/tokenizer_goldens.h"

namespace kvist::testing {
namespace {

nlohmann::json golden() {
    return nlohmann::json::parse(readBytes(qwenFolder().parent_path() / "chat" / "chat.json"));
}

std::string templateCalled(const std::string& name) {
    return golden()["templates"][name].get<std::string>();
}

std::vector<ChatMessage> messagesOf(const nlohmann::json& json) {
    std::vector<ChatMessage> messages;
    for (const auto& one : json) {
        messages.push_back({one["role"], one["content"]});
    }
    return messages;
}

TEST(ChatTemplate, GivesTextAndIdsOfTransformers) {
    const auto goldens = golden();
    ASSERT_GE(goldens["cases"].size(), 30u);
    for (const auto& one : goldens["cases"]) {
        const auto chat = ChatTemplate::parse(templateCalled(one["template"]));
        ASSERT_TRUE(chat) << one["template"];
        const auto messages = messagesOf(one["messages"]);
        const std::string text = chat->render(messages);
        EXPECT_EQ(text, one["text"].get<std::string>()) << one["template"];
        EXPECT_EQ(goldenTokenizer("qwen").encode(text), one["ids"].get<Ids>()) << one["template"];
        if (messages.size() == 1) {
            EXPECT_EQ(chat->beforeQuestion() + messages[0].content + chat->afterQuestion(), text);
        }
    }
}

TEST(ChatTemplate, OtherKindsAreNone) {
    EXPECT_FALSE(ChatTemplate::parse(""));
    EXPECT_FALSE(ChatTemplate::parse("{{ '<|user|>' + message.content + '<|assistant|>\\n' }}"));
    EXPECT_FALSE(ChatTemplate::parse("{{- '<|im_start|>assistant\\n<think>\\n' }}")) << "begins the answer itself";
}

TEST(ChatTemplate, IsFoundInAFolder) {
    const auto base = readChatTemplate(qwenFolder());
    ASSERT_TRUE(base);
    EXPECT_EQ(base->beforeQuestion(), "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n");
    EXPECT_FALSE(readChatTemplate(demoModel()));

    const TemporaryFolder folder;
    const nlohmann::json other = {{"name", "tool_use"}, {"template", "{{ 'x' }}"}};
    const nlohmann::json usual = {{"name", "default"}, {"template", templateCalled("instruct")}};
    folder.write("tokenizer_config.json",
                 nlohmann::json{{"chat_template", nlohmann::json::array({other, usual})}}.dump());
    EXPECT_TRUE(readChatTemplate(folder.path()));
    folder.write("tokenizer_config.json", nlohmann::json{{"chat_template", nlohmann::json::array({other})}}.dump());
    EXPECT_FALSE(readChatTemplate(folder.path()));
    folder.write("tokenizer_config.json", R"({"chat_template": 7})");
    EXPECT_FALSE(readChatTemplate(folder.path()));
    folder.write("tokenizer_config.json", "{");
    EXPECT_THAT([&] { readChatTemplate(folder.path()); },
                throwsEngineError(ErrorKind::UnreadableFile, "tokenizer_config.json"));
}

TEST(ChatTemplate, AFileOfItsOwnComesFirst) {
    const TemporaryFolder folder;
    folder.write("chat_template.jinja", templateCalled("instruct"));
    const auto alone = readChatTemplate(folder.path());
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->beforeQuestion(), ChatTemplate::parse(templateCalled("instruct"))->beforeQuestion());
    folder.write("tokenizer_config.json", nlohmann::json{{"chat_template", templateCalled("base")}}.dump());
    EXPECT_EQ(readChatTemplate(folder.path())->beforeQuestion(), alone->beforeQuestion());
    folder.write("chat_template.jinja", "{{ 'another kind' }}");
    EXPECT_FALSE(readChatTemplate(folder.path()));
}

TEST(ChatTemplate, IsFoundInAGgufFile) {
    const TemporaryFolder folder;
    GgufBuilder with;
    with.text("general.architecture", "qwen2").text("tokenizer.chat_template", templateCalled("instruct"));
    const auto chat = readChatTemplate(folder.write("with.gguf", with.bytes()));
    ASSERT_TRUE(chat);
    EXPECT_EQ(chat->beforeQuestion(), ChatTemplate::parse(templateCalled("instruct"))->beforeQuestion());
    GgufBuilder without;
    without.text("general.architecture", "qwen2");
    EXPECT_FALSE(readChatTemplate(folder.write("without.gguf", without.bytes())));
}

TEST(JinjaLiterals, OfExpressionsAndStatementsAlone) {
    EXPECT_EQ(jinjaLiterals("'out' {{ 'a' + \"b'c\" }} it's {# 'no' #}{%- if x == 'd\\'\\n' %}'"),
              (std::vector<std::string>{"a", "b'c", "d'\n"}));
    EXPECT_EQ(jinjaLiterals(R"({{ '\\boxed{}' '\q' }})"), (std::vector<std::string>{R"(\boxed{})", R"(\q)"}));
    EXPECT_TRUE(jinjaLiterals("{{ 'open").empty());
    EXPECT_TRUE(jinjaLiterals("{{ 'open\\").empty());
    EXPECT_TRUE(jinjaLiterals("{# open").empty());
}

}  // namespace
}  // namespace kvist::testing
