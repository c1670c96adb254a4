# SPDX-License-Identifier: Apache-2.0
"""Measures the exported zoo folders anew, from config.json and model.safetensors alone, in fp32.

One command: V/bin/python models/zoo/check.py [vit-fashion] [gpt-mini]   (V: see zoo_train.py)
Shares no model code with the training scripts, so that a tensor written under a wrong name or in a wrong
order shows. Prints the figures; exit 1 where one misses its aim.
"""

import json
import math
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file

import zoo_data

HERE = Path(__file__).resolve().parent
AIMS = {"vit-fashion": 0.88, "gpt-mini": 3.6}


def load(name):
    config = json.loads((HERE / name / "config.json").read_text())
    return config, load_file(HERE / name / "model.safetensors")


def split_heads(x, heads):
    batch, tokens, width = x.shape
    return x.reshape(batch, tokens, heads, width // heads).permute(0, 2, 1, 3)


def attend(q, k, v, heads, causal):
    q, k, v = (split_heads(x, heads) for x in (q, k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1) > 0, -math.inf)
    mixed = torch.softmax(scores, -1) @ v
    return mixed.permute(0, 2, 1, 3).flatten(2)


def vit_logits(config, weights, images):
    """Raw images uint8 (B, 28, 28) to logits (B, classes), preprocessor_config.json applied."""
    pre = json.loads((HERE / "vit-fashion" / "preprocessor_config.json").read_text())
    x = (images.float() * pre["rescale_factor"] - pre["image_mean"][0]) / pre["image_std"][0]

    def linear(name, x):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, x):
        return F.layer_norm(x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"],
                            config["layer_norm_eps"])

    p, side = config["patch_size"], config["image_size"] // config["patch_size"]
    patches = x.reshape(-1, side, p, side, p).permute(0, 1, 3, 2, 4).reshape(len(x), side * side, p * p)
    embed = "vit.embeddings.patch_embeddings.projection"
    tokens = patches @ weights[f"{embed}.weight"].flatten(1).T + weights[f"{embed}.bias"]
    cls = weights["vit.embeddings.cls_token"].expand(len(x), -1, -1)
    h = torch.cat([cls, tokens], 1) + weights["vit.embeddings.position_embeddings"]
    for n in range(config["num_hidden_layers"]):
        layer = f"vit.encoder.layer.{n}"
        y = norm(f"{layer}.layernorm_before", h)
        q, k, v = (linear(f"{layer}.attention.attention.{part}", y) for part in ("query", "key", "value"))
        mixed = attend(q, k, v, config["num_attention_heads"], causal=False)
        h = h + linear(f"{layer}.attention.output.dense", mixed)
        y = linear(f"{layer}.intermediate.dense", norm(f"{layer}.layernorm_after", h))
        h = h + linear(f"{layer}.output.dense", F.gelu(y))
    return linear("classifier", norm("vit.layernorm", h)[:, 0])


def gpt2_logits(config, weights, ids):
    """Token ids (B, T) to logits (B, T, vocabulary)."""

    def linear(name, x):
        return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def norm(name, x):
        return F.layer_norm(x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"],
                            config["layer_norm_epsilon"])

    table = weights["transformer.wte.weight"]
    h = table[ids] + weights["transformer.wpe.weight"][: ids.shape[1]]
    for n in range(config["n_layer"]):
        block = f"transformer.h.{n}"
        q, k, v = linear(f"{block}.attn.c_attn", norm(f"{block}.ln_1", h)).chunk(3, -1)
        h = h + linear(f"{block}.attn.c_proj", attend(q, k, v, config["n_head"], causal=True))
        y = linear(f"{block}.mlp.c_fc", norm(f"{block}.ln_2", h))
        h = h + linear(f"{block}.mlp.c_proj", F.gelu(y, approximate="tanh"))
    return norm("transformer.ln_f", h) @ table.T


def check_vit():
    config, weights = load("vit-fashion")
    images, labels = (torch.tensor(part) for part in zoo_data.fashion("test"))
    hits = sum((vit_logits(config, weights, x).argmax(1) == y).sum().item()
               for x, y in zip(images.split(250), labels.split(250)))
    print(f"vit-fashion: top-1 {hits} of {len(images)} test images = {100 * hits / len(images):.2f}%")
    return hits / len(images) >= AIMS["vit-fashion"]


def check_gpt():
    config, weights = load("gpt-mini")
    held_out = torch.tensor(zoo_data.kjv_sequences("test", config["n_positions"]), dtype=torch.long)
    loss = 0.0
    for ids in held_out.split(32):
        logits = gpt2_logits(config, weights, ids)[:, :-1].flatten(0, 1).double()
        loss += F.cross_entropy(logits, ids[:, 1:].flatten(), reduction="sum").item()
    predicted = held_out.numel() - len(held_out)
    value = math.exp(loss / predicted)
    print(f"gpt-mini: perplexity per byte {value:.4f} on {predicted} predicted bytes of the held-out text")
    return value <= AIMS["gpt-mini"]


def main():
    checks = {"vit-fashion": check_vit, "gpt-mini": check_gpt}
    names = sys.argv[1:] or list(checks)
    for name in names:
        if name not in checks:
            raise SystemExit(f"check.py: no zoo model {name}; there are {', '.join(checks)}")
    with torch.no_grad():
        results = [checks[name]() for name in names]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
