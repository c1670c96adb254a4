# SPDX-License-Identifier: Apache-2.0
"""Trains gpt-mini, a byte-level GPT-2 on the King James text, and writes it beside this file.

One command: V/bin/python models/zoo/gpt-mini/train.py   (V: see ../zoo_train.py)
A token is a byte. Only the first 4,000,000 bytes are seen (random windows); the rest is read once, at the end.
"""

import argparse
import math
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import zoo_data  # noqa: E402
import zoo_train  # noqa: E402

CONFIG = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "vocab_size": 256,
    "n_positions": 128,
    "n_embd": 128,
    "n_layer": 4,
    "n_head": 4,
    "n_inner": 512,
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
    "attn_pdrop": 0.0,
    "embd_pdrop": 0.0,
    "resid_pdrop": 0.0,
    "initializer_range": 0.02,
    "tie_word_embeddings": True,
    "bos_token_id": None,
    "eos_token_id": None,
    "torch_dtype": "float32",
}


def named(**modules):
    return nn.ModuleDict(modules)


class Conv1D(nn.Module):
    """GPT-2's linear layer, whose weight is stored as (in, out)."""

    def __init__(self, inputs, outputs, std=0.02):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inputs, outputs) * std)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return F.linear(x, self.weight.T, self.bias)


class Block(nn.Module):
    """Pre-norm block with the tensor names of Hugging Face's GPT2Block; x is (B, T, d)."""

    def __init__(self, config):
        super().__init__()
        d, inner, eps = config["n_embd"], config["n_inner"], config["layer_norm_epsilon"]
        self.heads = config["n_head"]
        into_residual = 0.02 / math.sqrt(2 * config["n_layer"])
        self.ln_1 = nn.LayerNorm(d, eps=eps)
        self.attn = named(c_attn=Conv1D(d, 3 * d), c_proj=Conv1D(d, d, into_residual))
        self.ln_2 = nn.LayerNorm(d, eps=eps)
        self.mlp = named(c_fc=Conv1D(d, inner), c_proj=Conv1D(inner, d, into_residual))

    def attend(self, x):
        parts = self.attn["c_attn"](x).chunk(3, -1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        mixed = zoo_train.attention(q, k, v, causal=True)
        return self.attn["c_proj"](mixed.transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attend(self.ln_1(x))
        return x + self.mlp["c_proj"](F.gelu(self.mlp["c_fc"](self.ln_2(x)), approximate="tanh"))


class GPT(nn.Module):
    """Token ids (B, T) to logits (B, T, 256); the output head is the embedding table."""

    def __init__(self, config):
        super().__init__()
        d = config["n_embd"]
        tokens, positions = nn.Embedding(config["vocab_size"], d), nn.Embedding(config["n_positions"], d)
        nn.init.normal_(tokens.weight, std=0.02)
        nn.init.normal_(positions.weight, std=0.01)
        blocks = nn.ModuleList(Block(config) for _ in range(config["n_layer"]))
        norm = nn.LayerNorm(d, eps=config["layer_norm_epsilon"])
        self.transformer = named(wte=tokens, wpe=positions, h=blocks, ln_f=norm)

    def forward(self, ids):
        part = self.transformer
        x = part["wte"](ids) + part["wpe"](torch.arange(ids.shape[1]))
        for block in part["h"]:
            x = block(x)
        return F.linear(part["ln_f"](x), part["wte"].weight)


def loss_of(model, ids):
    """Mean cross entropy (nats) of every token but the first of each row of ids (B, T)."""
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())


def train(model, text, options):
    generator = torch.Generator().manual_seed(options.seed)
    window = torch.arange(CONFIG["n_positions"] + 1)

    def loss_of_step(_):
        starts = torch.randint(0, len(text) - len(window), (options.batch, 1), generator=generator)
        return loss_of(model, text[starts + window])

    opts = zoo_train.optimisers(model, muon_lr=options.muon_lr, adam_lr=options.adam_lr, weight_decay=0.05)
    zoo_train.fit(model, loss_of_step, options.steps, opts)


@torch.no_grad()
def perplexity(model, sequences):
    losses = [loss_of(model, part).item() * len(part) for part in sequences.split(64)]
    return math.exp(sum(losses) / len(sequences))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default=HERE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--muon-lr", type=float, default=0.01)
    parser.add_argument("--adam-lr", type=float, default=0.003)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()

    zoo_train.seed_everything(options.seed, options.threads)
    model = GPT(CONFIG)
    train(model, torch.tensor(zoo_data.kjv("train"), dtype=torch.long), options)
    zoo_train.export(options.output, model, CONFIG)
    held_out = torch.tensor(zoo_data.kjv_sequences("test", CONFIG["n_positions"]), dtype=torch.long)
    value = perplexity(model, held_out)
    print(f"perplexity per byte on {len(held_out)} held-out sequences: {value:.4f}")


if __name__ == "__main__":
    main()
