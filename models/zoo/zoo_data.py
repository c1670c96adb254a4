# SPDX-License-Identifier: Apache-2.0
"""The zoo's data sets for the training scripts: the same bytes and the same splits as models/data.

Fashion-MNIST: Debian's dataset-fashion-mnist; train and test are the files' own 60,000 and 10,000 images.
KJV: Debian's bible-kjv prints the text; the first TRAIN_BYTES bytes are for training, the rest is held out.
"""

import gzip
import hashlib
import subprocess
from pathlib import Path

import numpy as np

FASHION_FOLDER = Path("/usr/share/datasets/fashion-mnist")
KJV_COMMAND = ["bible", "-p", "/usr/lib", "-l79", "Gen1:1-Rev22:21"]
KJV_SHA256 = "82fa5f3788c6a9a010fb128a0f0bf588984b5888a82058520620eded59b033ea"
KJV_TRAIN_BYTES = 4_000_000


def read_idx(path):
    """An IDX file of unsigned bytes (gzip) as an array of the shape its header gives."""
    with gzip.open(path) as file:
        data = file.read()
    if data[:3] != b"\0\0\x08":
        raise SystemExit(f"{path}: not an IDX file of unsigned bytes")
    rank = data[3]
    shape = np.frombuffer(data, ">u4", rank, 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


def fashion(split):
    """(images uint8 (N, 28, 28), labels uint8 (N)); split is "train" or "test"."""
    prefix = {"train": "train", "test": "t10k"}[split]
    images = read_idx(FASHION_FOLDER / f"{prefix}-images-idx3-ubyte.gz")
    labels = read_idx(FASHION_FOLDER / f"{prefix}-labels-idx1-ubyte.gz")
    return images, labels


def kjv(split):
    """The text's bytes, uint8 (N); split is "train" or "test"."""
    text = subprocess.run(KJV_COMMAND, check=True, capture_output=True).stdout
    if hashlib.sha256(text).hexdigest() != KJV_SHA256:
        raise SystemExit("bible: the text is not that of Debian's bible-kjv 4.38")
    data = np.frombuffer(text, np.uint8)
    return data[:KJV_TRAIN_BYTES] if split == "train" else data[KJV_TRAIN_BYTES:]


def kjv_sequences(split, context):
    """Consecutive sequences of `context` bytes, (N, context); a shorter rest at the end is left out."""
    data = kjv(split)
    count = len(data) // context
    return data[: count * context].reshape(count, context)
