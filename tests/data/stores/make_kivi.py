# SPDX-License-Identifier: GPL-3.0-or-later
"""What KIVI's own code makes of keys and values: kivi.json.

    git clone https://github.com/jy-yuan/KIVI && git -C KIVI checkout 876b4d2d08e3b1d5f70d0969c299d8c7c42ddfb6
    pip install torch && python make_kivi.py KIVI/quant/new_pack.py

Only the part of the file before the first GPU kernel is used. The numbers are such that scales and minima are exact
in float16, so that codes must be equal, ties included."""

import json
import pathlib
import sys

import torch

source = pathlib.Path(sys.argv[1]).read_text().split("@triton.jit")[0].replace("import triton.language as tl", "")
kivi = {}
exec(source.replace("import triton", ""), kivi)
GROUP = 32


def exact(shape, axis, bits, generator):
    """Multiples of 1/64 whose groups along `axis` reach from m / 8 to m / 8 + s * (2^bits - 1) / 8."""
    levels = 2**bits - 1
    grouped = list(shape)
    grouped[axis:axis + 1] = [shape[axis] // GROUP, GROUP]
    least = torch.randint(-64, 64, grouped, generator=generator).narrow(axis + 1, 0, 1) / 8
    step = torch.randint(1, 9, grouped, generator=generator).narrow(axis + 1, 0, 1) / 8
    inside = torch.randint(0, levels * 8 + 1, grouped, generator=generator) / 8
    inside.select(axis + 1, 3).fill_(0)
    inside.select(axis + 1, 17).fill_(levels)
    return (least + step * inside).reshape(shape)


def numbers(tensor):
    return tensor.flatten().tolist()


golden = {"group": GROUP}
generator = torch.Generator().manual_seed(5)
for bits in (2, 4, 8):
    keys = exact((1, 1, 64, 8), 2, bits, generator)
    code, scale, least = kivi["quant_and_pack_kcache"](keys.clone(), GROUP, bits)
    keys_back = kivi["unpack_and_dequant_kcache"](code, scale, least, GROUP, bits)
    values = exact((1, 1, 6, 64), 3, bits, generator)
    code, scale, least = kivi["quant_and_pack_vcache"](values.clone(), GROUP, bits)
    values_back = kivi["unpack_and_dequant_vcache"](code, scale, least, GROUP, bits)
    golden[str(bits)] = {"keys": numbers(keys), "keys_back": numbers(keys_back.float()),
                         "values": numbers(values), "values_back": numbers(values_back.float())}
pathlib.Path(__file__).with_name("kivi.json").write_text(json.dumps(golden) + "\n")
