#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrite a GGUF file with every matrix in bfloat16, so that llama.cpp runs the same weights as the engine.

usage: gguf_to_bf16.py IN.gguf OUT.gguf
Needs the Python packages gguf and numpy.
"""
import sys

import gguf
import numpy as np
from gguf.quants import dequantize

reader = gguf.GGUFReader(sys.argv[1])
architecture = reader.fields["general.architecture"].contents()
writer = gguf.GGUFWriter(sys.argv[2], architecture)
for name, field in reader.fields.items():
    if name.startswith("GGUF.") or name == "general.architecture":
        continue
    value = field.contents()
    kind = field.types[0]
    if name == "general.file_type":
        value = int(gguf.LlamaFileType.MOSTLY_BF16)
    if kind == gguf.GGUFValueType.ARRAY:
        writer.add_array(name, value)
    else:
        writer.add_key_value(name, value, kind)
for tensor in reader.tensors:
    values = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    if values.ndim == 1:
        writer.add_tensor(tensor.name, values)
        continue
    bits = values.view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    writer.add_tensor(tensor.name, rounded.view(np.uint8).reshape(*values.shape[:-1], -1),
                      raw_dtype=gguf.GGMLQuantizationType.BF16)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
