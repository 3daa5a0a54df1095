#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the golden files of the tokenizer tests with the reference tokenizers.

usage: make_vectors.py            (needs transformers, tokenizers, sentencepiece)

Writes beside this script
  vectors.json                    texts and their ids by every tokenizer, decoded text where it differs
  stretches.json                  hashes of the ids of long stretches of the bundled texts
  corpora.json                    files with awkward line ends and their ids by lines and as a whole
  small/tokenizer.json            Qwen2.5's tokenizer cut to its first 1000 merges, as `tokenizers` writes it
  prefix/tokenizer.model          a small SentencePiece BPE model that adds a space before the text
The committed files were made with transformers 5.24.0, tokenizers 0.23.3 and sentencepiece 0.2.3.
"""
import io
import json
import pathlib

import sentencepiece
import tokenizers
import transformers

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent
RESOURCES = HERE.parents[2] / "resources"
BOOK = "war_of_the_worlds.txt"
WIKI = "wiki.test.raw"

TEXTS = {
    "empty": "",
    "one space": " ",
    "a sentence": "The quick brown fox jumps over 13 lazy dogs.",
    "family emoji joined by ZWJ": "👨‍👩‍👧‍👦 and 👩🏽‍🚀!",
    "flags and keycaps": "🇸🇪🇯🇵 1️⃣ #️⃣",
    "heart with variation selector": "❤️ vs ❤",
    "decomposed letters": "e\u0301a\u0308o\u0302 ca\u0327 n\u0303",
    "composed letters": "éäô ça ñ",
    "marks out of canonical order": "q\u0307\u0323 q\u0323\u0307 a\u0301\u0328",
    "marks without a letter": "\u0301\u0323 x\u0338=\u0338",
    "singleton decompositions": "\u212b \u2126 \u212a \u2000x",
    "composition exclusions": "\u0958 \ufb1d \u2adc",
    "Hangul letters": "\u1112\u1161\u11ab\u1100\u1173\u11af 한글",
    "Hangul syllable before U+11A7": "\ud1c4\u11a7 \uac00\u11a7\u11a8",
    "Greek with accents": "\u03b1\u0301\u0345 ᾴ Ἀθῆναι",
    "Vietnamese, both forms": "Tiếng Việt Tie\u0302\u0301ng Vie\u0323\u0302t",
    "Chinese": "我爱自然语言处理,今天天气很好。",
    "Japanese": "これは日本語の文章です。カタカナ ﾊﾝｶｸ が",
    "kana with combining mark": "か\u3099ハ\u309a",
    "Thai": "สวัสดีชาวโลก น้ำ",
    "Arabic": "مرحبا بالعالم، كيف الحال؟ ١٢٣",
    "Hebrew with points": "שָׁלוֹם עֲלֵיכֶם",
    "Hindi": "नमस्ते दुनिया क़",
    "Telugu and Malayalam": "తెలుగు മലയാളം",
    "Cyrillic": "Съешь же ещё этих мягких французских булок",
    "long run of spaces": "a" + " " * 130 + "b",
    "spaces at both ends": "   x   ",
    "tabs": "\tint x;\t\t\treturn\t 0;\t",
    "newlines": "a\n\n\nb\n \n\t\nc\n\n",
    "carriage returns": "a\r\nb\r\rc\n\rd\r\n\r\n",
    "spaces before newlines": "a   \n   b \n\n  c",
    "unusual white space": "a\u00a0b\u3000c\u2003\u2003d\u0085e\u2028f\x0bg\x0ch\x1ci",
    "Mongolian vowel separator": "a\u180eb \u180e \u180e\u180e c",
    "zero width characters": "a\u200bb\u200c\u200d\ufeffc",
    "digits": "1 12 123 1234567890 3.14159 1,000,000 2024-01-31",
    "digits of other scripts": "²³½Ⅷ٣४๕①",
    "long run of digits": "9" * 70,
    "contractions": "I'm you're he's she'd we'll they've don't 'tis",
    "contractions, upper case": "I'M YOU'RE HE'S SHE'D WE'LL THEY'VE DON'T",
    "contractions, mixed": "x'Ll x'lL x'rE x'Ve 's'S 'ſ \u2019s",
    "marks and symbols": "!!! ... --- ==> <= >= != && || ::: ### $$$ \\\\ // /* */",
    "code": "for (int i = 0; i < n; ++i) {\n    x[i] += y[i] * 2;  // sum\n}\n",
    "SentencePiece's space symbol": "a▁b ▁ c",
    "special tokens": "<|im_start|>user\nHi<|im_end|>\n<|endoftext|>",
    "special tokens touching": "a<|im_end|><|im_end|>b <|im_end|> c",
    "special tokens in part": "<|im_end|<|im_end|>|> <|im_ <|nothing|> |>",
    "special token before a combining mark": "<|im_end|>\u0338x",
    "tool call": "<tool_call>{\"name\": \"f\"}</tool_call>",
    "control characters": "\x00\x01\x7f\x1b[0m",
    "private use and unassigned": "\ue000\U000f0000\u0378\U0010ffff",
    "ligatures and compatibility": "ﬁﬂ ℌ ㎏ ﷺ",
    "one long word": "antidisestablishmentarianism" * 12,
    "URL": "https://example.org/a_b?c=d&e=%20f#g",
}
BYTES = {
    "invalid: single bytes": b"a\xffb\xfe\xc0\xc1\xf5c",
    "invalid: continuation alone": b"\x80\xbfx\x80",
    "invalid: cut sequences": b"\xe4\xbd x \xf0\x9f\x98 y \xc3",
    "invalid: overlong": b"\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf",
    "invalid: surrogates": b"\xed\xa0\x80\xed\xb0\x80",
    "invalid: beyond Unicode": b"\xf4\x90\x80\x80\xf8\x88\x80\x80\x80",
    "invalid: inside a special token": b"<|im_\xffend|> <|im_end|>\xff",
    "invalid: mixed with valid": "é漢".encode() + b"\xe6" + "字".encode() + b"\xf0\x9f" + "👍".encode(),
}
CORPORA = {
    "unix lines": b"\n \nOne line.\n\n  Two  \n\t\nlast without an end",
    "CRLF": b"One\r\n\r\nTwo \r\n   \r\nThree\r\n",
    "old Mac": b"One\rTwo\r\rThree",
    "byte-order mark": b"\xef\xbb\xbfOne\nTwo\n",
    "byte-order mark inside": "One\n\ufeff\nTwo\n".encode(),
    "unusual blank lines": "A\n\u00a0\u3000\u2003\nB\n\x1c\x1f\x0b\x0c\nC\n\u200b\nD\n\u0085\u2028\u2029\n\u180e\nE\n".encode(),
    "line separators do not end lines": "A\u2028B\x0bC\x0cD\x85E\x1eF\n".encode(),
    "only white space": b" \n\t\n\r\n",
    "empty": b"",
    "special tokens": b"A<|endoftext|>\n<|im_start|>\nB\n",
}


def fnv1a(ids):
    """64-bit FNV-1a over the ids as little-endian 32-bit numbers."""
    value = 0xCBF29CE484222325
    for byte in b"".join(i.to_bytes(4, "little") for i in ids):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def qwen():
    """The reference: transformers on vocab.json, merges.txt and tokenizer_config.json; `tokenizers` must agree."""
    slow = transformers.AutoTokenizer.from_pretrained(DATA / "qwen2.5")
    fast = tokenizers.Tokenizer.from_str(slow.backend_tokenizer.to_str())

    def encode(text):
        ids = slow.encode(text, add_special_tokens=False)
        assert ids == fast.encode(text, add_special_tokens=False).ids
        return ids

    return slow, encode


def small(full):
    """Qwen2.5's tokenizer with the first merges alone."""
    state = json.loads(full.backend_tokenizer.to_str())
    model = state["model"]
    model["merges"] = model["merges"][:1000]
    kept = {"".join(pair) for pair in model["merges"]} | {t for t in model["vocab"] if len(t) == 1}
    model["vocab"] = {t: i for i, t in enumerate(sorted(kept, key=model["vocab"].get))}
    for index, token in enumerate(state["added_tokens"]):
        token["id"] = len(kept) + index
    path = HERE / "small" / "tokenizer.json"
    path.parent.mkdir(exist_ok=True)
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(state))
    tokenizer.save(str(path), pretty=False)
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def prefix_model():
    path = HERE / "prefix" / "tokenizer.model"
    path.parent.mkdir(exist_ok=True)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter((RESOURCES / "texts" / BOOK).read_text(encoding="utf-8").splitlines()),
        model_writer=model, vocab_size=600, model_type="bpe", byte_fallback=True, normalization_rule_name="identity",
        add_dummy_prefix=True, remove_extra_whitespaces=False, num_threads=1, minloglevel=2)
    path.write_bytes(model.getvalue())
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


def tokens_by_line(data, encode):
    ids = []
    for line in io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace"):
        if line.strip():
            ids += encode(line.rstrip("\n") + "\n\n")
    return ids


def whole(data, encode):
    return encode(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace").read())


def write(name, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="ascii")


def main():
    full, encode_qwen = qwen()
    demo = sentencepiece.SentencePieceProcessor(model_file=str(RESOURCES / "demo_model" / "tokenizer.model"))
    prefix = prefix_model()
    encoders = {"qwen": encode_qwen, "small": small(full), "demo": demo.encode, "prefix": prefix.encode}

    vectors = []
    for name, raw in {**{n: t.encode() for n, t in TEXTS.items()}, **BYTES}.items():
        text = raw.decode("utf-8", "replace")
        case = {"name": name, "bytes": raw.hex(), "text": text}
        case |= {key: encode(text) for key, encode in encoders.items()}
        case["qwen_decoded"] = full.decode(case["qwen"], clean_up_tokenization_spaces=False)
        case["prefix_decoded"] = prefix.decode(case["prefix"])
        vectors.append(case)
    write("vectors.json", vectors)

    stretches = []
    for file in (WIKI, BOOK):
        data = (RESOURCES / "texts" / file).read_bytes()[:200_000].decode("utf-8", "ignore").encode()
        for key in ("qwen", "demo"):
            for segments, read in (("lines", tokens_by_line), ("whole", whole)):
                ids = read(data, encoders[key])
                stretches.append({"file": file, "bytes": len(data), "tokenizer": key, "segments": segments,
                                  "count": len(ids), "fnv1a": fnv1a(ids)})
    write("stretches.json", stretches)

    corpora = []
    for name, data in CORPORA.items():
        shown = data.removeprefix(b"\xef\xbb\xbf")  # the program drops it, Python's utf-8 does not
        case = {"name": name, "bytes": data.hex()}
        for key in ("qwen", "demo"):
            case[key] = {"lines": tokens_by_line(shown, encoders[key]), "whole": whole(shown, encoders[key])}
        corpora.append(case)
    write("corpora.json", corpora)


if __name__ == "__main__":
    main()
