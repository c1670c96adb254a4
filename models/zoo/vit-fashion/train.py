# SPDX-License-Identifier: Apache-2.0
"""Trains vit-fashion, a small ViT on Fashion-MNIST, and writes it beside this file.

One command: V/bin/python models/zoo/vit-fashion/train.py   (V: see ../zoo_train.py)
Only the 60,000 training images are seen; the 10,000 test images are read once, at the end.
Augmentation: horizontal flip, shift by up to 2 pixels.
"""

import argparse
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import zoo_data  # noqa: E402
import zoo_train  # noqa: E402

MEAN, STD = 0.286, 0.353  # of the training pixels / 255

CONFIG = {
    "architectures": ["ViTForImageClassification"],
    "model_type": "vit",
    "image_size": 28,
    "patch_size": 4,
    "num_channels": 1,
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
    "qkv_bias": True,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "initializer_range": 0.02,
    "id2label": dict(enumerate([
        "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
        "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"])),
    "torch_dtype": "float32",
}

PREPROCESSOR = {
    "image_processor_type": "ViTImageProcessor",
    "do_resize": False,
    "size": {"height": 28, "width": 28},
    "do_rescale": True,
    "rescale_factor": 1 / 255,
    "do_normalize": True,
    "image_mean": [MEAN],
    "image_std": [STD],
}


def named(**modules):
    return nn.ModuleDict(modules)


class Layer(nn.Module):
    """Pre-norm block with the tensor names of Hugging Face's ViTLayer; x is (B, T, d)."""

    def __init__(self, config):
        super().__init__()
        d, inner = config["hidden_size"], config["intermediate_size"]
        self.heads = config["num_attention_heads"]
        projections = named(query=nn.Linear(d, d), key=nn.Linear(d, d), value=nn.Linear(d, d))
        self.attention = named(attention=projections, output=named(dense=nn.Linear(d, d)))
        self.intermediate = named(dense=nn.Linear(d, inner))
        self.output = named(dense=nn.Linear(inner, d))
        self.layernorm_before = nn.LayerNorm(d, eps=config["layer_norm_eps"])
        self.layernorm_after = nn.LayerNorm(d, eps=config["layer_norm_eps"])

    def attend(self, x):
        part = self.attention["attention"]
        q, k, v = (part[n](x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for n in ("query", "key", "value"))
        mixed = zoo_train.attention(q, k, v).transpose(1, 2).flatten(2)
        return self.attention["output"]["dense"](mixed)

    def forward(self, x):
        x = x + self.attend(self.layernorm_before(x))
        hidden = F.gelu(self.intermediate["dense"](self.layernorm_after(x)))
        return x + self.output["dense"](hidden)


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, p = config["hidden_size"], config["patch_size"]
        tokens = (config["image_size"] // p) ** 2 + 1
        self.cls_token = nn.Parameter(torch.zeros(1, 1, d))
        self.position_embeddings = nn.Parameter(torch.randn(1, tokens, d) * 0.02)
        convolution = nn.Conv2d(config["num_channels"], d, p, stride=p)
        self.patch_embeddings = named(projection=convolution)

    def forward(self, images):
        patches = self.patch_embeddings["projection"](images).flatten(2).transpose(1, 2)
        cls = self.cls_token.expand(len(images), -1, -1)
        return torch.cat([cls, patches], 1) + self.position_embeddings


class ViT(nn.Module):
    """Images (B, 1, 28, 28), normalised, to logits (B, 10)."""

    def __init__(self, config):
        super().__init__()
        d = config["hidden_size"]
        layers = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))
        norm = nn.LayerNorm(d, eps=config["layer_norm_eps"])
        self.vit = named(embeddings=Embeddings(config), encoder=named(layer=layers), layernorm=norm)
        self.classifier = nn.Linear(d, len(config["id2label"]))

    def forward(self, images):
        x = self.vit["embeddings"](images)
        for layer in self.vit["encoder"]["layer"]:
            x = layer(x)
        return self.classifier(self.vit["layernorm"](x)[:, 0])


def normalise(images):
    return (torch.tensor(images).float()[:, None] / 255 - MEAN) / STD


def augment(images, generator):
    """Flips half of the images (B, 1, 28, 28) and shifts each by up to 2 pixels."""
    count, side = len(images), images.shape[-1]
    flip = torch.rand(count, 1, 1, 1, generator=generator) < 0.5
    images = torch.where(flip, images.flip(-1), images)
    padded = F.pad(images, (2, 2, 2, 2), value=-MEAN / STD)[:, 0]
    dy, dx = torch.randint(0, 5, (2, count, 1, 1), generator=generator)
    rows = torch.arange(side).view(1, -1, 1) + dy
    columns = torch.arange(side).view(1, 1, -1) + dx
    return padded[torch.arange(count).view(-1, 1, 1), rows, columns][:, None]


def train(model, images, labels, options):
    generator = torch.Generator().manual_seed(options.seed)
    per_epoch = len(images) // options.batch
    order = torch.empty(0, dtype=torch.long)

    def loss_of_step(step):
        nonlocal order
        if step % per_epoch == 0:
            order = torch.randperm(len(images), generator=generator)
        pick = order[(step % per_epoch) * options.batch:][: options.batch]
        return F.cross_entropy(model(augment(images[pick], generator)), labels[pick],
                               label_smoothing=0.05)

    opts = zoo_train.optimisers(model, muon_lr=options.muon_lr, adam_lr=options.adam_lr, weight_decay=0.05)
    zoo_train.fit(model, loss_of_step, options.epochs * per_epoch, opts)


@torch.no_grad()
def top1(model, images, labels):
    hits = sum((model(x).argmax(1) == y).sum().item()
               for x, y in zip(images.split(500), labels.split(500)))
    return hits / len(images)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default=HERE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--muon-lr", type=float, default=0.01)
    parser.add_argument("--adam-lr", type=float, default=0.003)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()

    zoo_train.seed_everything(options.seed, options.threads)
    model = ViT(CONFIG)
    images, labels = zoo_data.fashion("train")
    train(model, normalise(images), torch.tensor(labels, dtype=torch.long), options)
    zoo_train.export(options.output, model, CONFIG, preprocessor_config=PREPROCESSOR)
    images, labels = zoo_data.fashion("test")
    accuracy = top1(model, normalise(images), torch.tensor(labels, dtype=torch.long))
    print(f"top-1 on the {len(images)} test images: {100 * accuracy:.2f}%")


if __name__ == "__main__":
    main()
