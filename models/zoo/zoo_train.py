# SPDX-License-Identifier: Apache-2.0
"""What both training scripts share: seeding, the optimiser and its schedule, the loop, the export.

Setting: python3 -m venv V && V/bin/pip install torch numpy safetensors
The same machine, PyTorch and thread count give the same weights; elsewhere rounding differs a little.
"""

import json
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file


def seed_everything(seed, threads):
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)


def orthogonal(matrix):
    """Nearest semi-orthogonal matrix, roughly: five quintic Newton-Schulz steps (Jordan 2024, "Muon")."""
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(5):
        gram = x @ x.T
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    """Momentum whose update is made orthogonal, for hidden weight matrices (Jordan 2024)."""

    def __init__(self, parameters, lr, momentum=0.95, weight_decay=0.0):
        super().__init__(parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                buffer = self.state[weight].setdefault("momentum", torch.zeros_like(weight))
                buffer.lerp_(weight.grad, 1 - group["momentum"])
                update = orthogonal(weight.grad.lerp(buffer, group["momentum"]))
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                rows, columns = weight.shape
                weight.sub_(update, alpha=group["lr"] * max(1, rows / columns) ** 0.5)


def optimisers(model, muon_lr, adam_lr, weight_decay):
    """Muon for the blocks' matrices, Adam for embeddings, norms, biases and heads."""
    hidden, other = [], []
    for name, weight in model.named_parameters():
        in_block = ".layer." in name or ".h." in name
        (hidden if in_block and weight.ndim == 2 else other).append(weight)
    return [
        Muon(hidden, lr=muon_lr, weight_decay=weight_decay),
        torch.optim.AdamW(other, lr=adam_lr, betas=(0.9, 0.95), weight_decay=0.0),
    ]


def warm_cosine(step, steps, warm_steps):
    """Factor on the learning rate: linear warm-up, then half a cosine to zero."""
    if step < warm_steps:
        return (step + 1) / warm_steps
    return 0.5 * (1 + math.cos(math.pi * (step - warm_steps) / (steps - warm_steps)))


def attention(q, k, v, causal=False):
    """softmax(q k^T / sqrt(head)) v in fp32: PyTorch's bfloat16 kernel for it is several times slower on a CPU."""
    with torch.autocast("cpu", enabled=False):
        return F.scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=causal)


def fit(model, loss_of_step, steps, opts, warm_steps=100, report_every=100):
    """Minimises loss_of_step(step) over `steps` steps; forward and backward in bfloat16, weights in fp32."""
    bases = [[group["lr"] for group in opt.param_groups] for opt in opts]
    begin, total = time.time(), 0.0
    model.train()
    for step in range(steps):
        for opt, rates in zip(opts, bases):
            for group, rate in zip(opt.param_groups, rates):
                group["lr"] = rate * warm_cosine(step, steps, warm_steps)
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of_step(step)
        loss.backward()
        for opt in opts:
            opt.step()
            opt.zero_grad(set_to_none=True)
        total += loss.item()
        if (step + 1) % report_every == 0:
            seconds = time.time() - begin
            print(f"step {step + 1}/{steps} loss {total / report_every:.4f} {seconds:.0f} s", flush=True)
            total = 0.0
    model.eval()


def export(folder, model, config, **other_json):
    """An ordinary Hugging Face folder: config.json, model.safetensors (F32) and other JSON files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: t.detach().float().contiguous() for name, t in model.state_dict().items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    for name, value in {"config": config, **other_json}.items():
        (folder / f"{name}.json").write_text(json.dumps(value, indent=2) + "\n")
