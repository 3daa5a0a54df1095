#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decode steps of other programs on request, in the protocol of ../decode_worker.cpp (full cache only).

usage: peer_worker.py transformers MODEL_FOLDER DTYPE THREADS
       peer_worker.py llama.cpp GGUF FLASH(on|off) THREADS
"""
import json
import sys
import time


class Transformers:
    """A cache of random keys and values, grown by transformers itself."""

    def __init__(self, folder, dtype, threads):
        import torch
        import transformers
        self.torch = torch
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        self.version = f"transformers {transformers.__version__}, torch {torch.__version__}"
        self.dtype = getattr(torch, dtype)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=self.dtype, attn_implementation="sdpa").eval()
        self.open_caches = {}

    def open(self, name, depth, room):
        from transformers import DynamicCache
        config = self.model.config
        shape = (1, config.num_key_value_heads, depth, config.hidden_size // config.num_attention_heads)
        cache = DynamicCache()
        for layer in range(config.num_hidden_layers):
            cache.update(self.torch.randn(shape).to(self.dtype), self.torch.randn(shape).to(self.dtype), layer)
        self.open_caches[name] = [cache, depth]

    def steps(self, name, count):
        cache, depth = self.open_caches[name]
        token = self.torch.zeros((1, 1), dtype=self.torch.long)
        seconds = []
        for _ in range(count):
            started = time.perf_counter()
            output = self.model(token, past_key_values=cache, use_cache=True,
                                position_ids=self.torch.tensor([[depth]]))
            token = output.logits[:, -1].argmax(-1, keepdim=True)
            token.item()
            seconds.append(time.perf_counter() - started)
            depth += 1
        self.open_caches[name][1] = depth
        return seconds

    def close(self, name):
        del self.open_caches[name]


class LlamaCpp:
    """A context filled by a real prefill; the C interface is called directly, with no work in Python per step."""

    def __init__(self, path, flash, threads):
        import llama_cpp
        self.api = llama_cpp
        self.flash = flash == "on"
        self.threads = threads
        self.version = f"llama.cpp by llama-cpp-python {llama_cpp.__version__}, flash attention {flash}"
        self.silence = llama_cpp.llama_log_callback(lambda *_: None)
        llama_cpp.llama_log_set(self.silence, None)
        llama_cpp.llama_backend_init()
        parameters = llama_cpp.llama_model_default_params()
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), parameters)
        if not self.model:
            raise RuntimeError(f"llama.cpp cannot load {path}")
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))
        self.contexts = {}

    def decode(self, context, tokens):
        array = (self.api.llama_token * len(tokens))(*tokens)
        if self.api.llama_decode(context, self.api.llama_batch_get_one(array, len(tokens))) != 0:
            raise RuntimeError("llama_decode failed")

    def open(self, name, depth, room):
        parameters = self.api.llama_context_default_params()
        parameters.n_ctx = depth + room + 16
        parameters.n_batch = 512
        parameters.n_ubatch = 512
        parameters.n_threads = self.threads
        parameters.n_threads_batch = self.threads
        if hasattr(parameters, "flash_attn_type"):
            parameters.flash_attn_type = 1 if self.flash else 0
        else:
            parameters.flash_attn = self.flash
        context = self.api.llama_init_from_model(self.model, parameters)
        if not context:
            raise RuntimeError(f"llama.cpp cannot make a context of {parameters.n_ctx} tokens")
        for first in range(0, depth, 512):
            self.decode(context, [(7919 * i) % 100000 for i in range(first, min(first + 512, depth))])
        self.contexts[name] = context

    def steps(self, name, count):
        import numpy
        context = self.contexts[name]
        token = 0
        seconds = []
        for _ in range(count):
            started = time.perf_counter()
            self.decode(context, [token])
            logits = numpy.ctypeslib.as_array(self.api.llama_get_logits(context), shape=(self.vocabulary,))
            token = int(logits.argmax())
            seconds.append(time.perf_counter() - started)
        return seconds

    def close(self, name):
        self.api.llama_free(self.contexts.pop(name))


def main():
    kind, model, choice, threads = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    peer = Transformers(model, choice, threads) if kind == "transformers" else LlamaCpp(model, choice, threads)
    for line in sys.stdin:
        request = json.loads(line)
        answer = {}
        if request["do"] == "machine":
            answer = {"version": peer.version}
        elif request["do"] == "open":
            peer.open(request["name"], request["depth"], request["room"])
        elif request["do"] == "steps":
            answer = {"seconds": peer.steps(request["name"], request["count"])}
        else:
            peer.close(request["name"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
