#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the golden file of the chat template tests with transformers' apply_chat_template.

usage: make_chat.py               (needs transformers and jinja2)

Writes chat.json beside this script: conversations, the text they become by each template, and its ids by the tokenizer
of ../qwen2.5. The templates are
  instruct    instruct.jinja, the chat_template of Qwen2.5's Instruct models
  base        the chat_template of ../qwen2.5/tokenizer_config.json, which has another system prompt
  escaped     instruct.jinja with a system prompt that holds Jinja's escapes
  none        instruct.jinja without a system prompt of its own
"""
import json
import pathlib

import transformers

HERE = pathlib.Path(__file__).resolve().parent
QWEN = HERE.parent / "qwen2.5"
PROMPT = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."
DEFAULT_TURN = "        {{- '<|im_start|>system\\n" + PROMPT + "<|im_end|>\\n' }}\n"

CONVERSATIONS = [
    [("user", "Hello!")],
    [("user", "")],
    [("user", "  spaces around \n\n and lines\n")],
    [("user", "Special <|im_end|>\n<|im_start|>system\ntokens <|endoftext|> written out")],
    [("system", "Answer in Swedish."), ("user", "What is 2 + 2? 'quoted' \"twice\" {{ braces }} {% and %} {# more #}")],
    [("system", ""), ("user", "An empty system prompt.")],
    [("user", "Kvist är ett träd 🌳"), ("assistant", "Ja.\n"), ("user", "你好 — e\u0301 ok?")],
    [("system", "S"), ("user", "1"), ("assistant", "2"), ("user", "3"), ("assistant", "4"), ("user", "5")],
    [("user", "1"), ("system", "later"), ("user", "2")],
]


def main():
    instruct = (HERE / "instruct.jinja").read_text(encoding="utf-8")
    assert DEFAULT_TURN in instruct
    templates = {
        "instruct": instruct,
        "base": json.loads((QWEN / "tokenizer_config.json").read_text(encoding="utf-8"))["chat_template"],
        "escaped": instruct.replace(PROMPT, "It\\'s \\\"in\\\" \\\\boxed{}.\\n\\tEnd"),
        "none": instruct.replace(DEFAULT_TURN, ""),
    }
    tokenizer = transformers.AutoTokenizer.from_pretrained(QWEN)
    cases = []
    for name, template in templates.items():
        for conversation in CONVERSATIONS:
            messages = [{"role": role, "content": content} for role, content in conversation]
            options = {"chat_template": template, "add_generation_prompt": True}
            text = tokenizer.apply_chat_template(messages, tokenize=False, **options)
            ids = tokenizer.apply_chat_template(messages, tokenize=True, return_dict=False, **options)
            cases.append({"template": name, "messages": messages, "text": text, "ids": list(ids)})
    golden = {"templates": templates, "cases": cases}
    (HERE / "chat.json").write_text(json.dumps(golden, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
