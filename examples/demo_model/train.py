#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""train.py IMAGES WEIGHTS: trains the demo's network in float32 on what write_images drew.

Batch normalisation is folded; WEIGHTS are the float32 filters (OHWI, depthwise HWC) and biases of every layer, one
after the other, in the order in which network.hpp lists them."""
import os
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

EPOCHS, BATCH, RATE = 20, 128, 0.004
EXTENT, CHANNELS = 32, 3
# blocks: channels in, wide, out, stride; those that keep their channels add what they were given
BLOCKS = [(16, 48, 16, 1), (16, 64, 24, 2), (24, 72, 24, 1), (24, 96, 32, 2), (32, 96, 32, 1)]
CLASSES, STEM, HEAD = 10, 16, 64


def normed(channels_in, channels_out, kernel=1, stride=1, depthwise=False, spread=1.0):
    groups = channels_in if depthwise else 1
    conv = nn.Conv2d(channels_in, channels_out, kernel, stride, groups=groups, bias=False)
    norm = nn.BatchNorm2d(channels_out)
    nn.init.constant_(norm.weight, spread)
    return nn.Sequential(conv, norm)


class Network(nn.Module):
    """Sums before ReLU6 spread so widely that its upper bound is at work: a device that drops it shows."""

    def __init__(self):
        super().__init__()
        self.stem = normed(CHANNELS, STEM, 3, 2, spread=4.0)
        self.blocks = nn.ModuleList(
            nn.ModuleList([normed(i, wide, spread=4.0), normed(wide, wide, 3, stride, True, spread=4.0),
                           normed(wide, out, spread=0.7)])
            for i, wide, out, stride in BLOCKS)
        self.head = normed(BLOCKS[-1][2], HEAD, spread=3.0)
        self.classes = nn.Linear(HEAD, CLASSES)

    def forward(self, x):
        x = F.relu6(self.stem(padded(x, 2)))
        for (expand, spatial, project), (_, _, _, stride) in zip(self.blocks, BLOCKS):
            y = project(F.relu6(spatial(padded(F.relu6(expand(x)), stride))))
            x = x + y if x.shape == y.shape else y
        return self.classes(F.relu6(self.head(x)).mean((2, 3)))


def padded(x, stride):
    """SAME, as TFLite pads even extents: all round at stride 1, one row and column at the end at stride 2."""
    return F.pad(x, (1, 1, 1, 1) if stride == 1 else (0, 1, 0, 1))


def folded(layer):
    conv, norm = layer
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    filters = conv.weight * factor[:, None, None, None]
    filters = filters[:, 0].permute(1, 2, 0) if conv.groups > 1 else filters.permute(0, 2, 3, 1)
    return [filters, norm.bias - norm.running_mean * factor]


def accuracy(network, x, y):
    network.eval()
    with torch.no_grad():
        right = sum((network(x[i:i + 500]).argmax(1) == y[i:i + 500]).sum().item() for i in range(0, len(x), 500))
    return right / len(x)


def ready(pixels):
    """Bytes to what the network reads; network.hpp says the same of codes."""
    return ((pixels.float() - 116) / 64).contiguous(memory_format=torch.channels_last)


def main(images, weights):
    torch.manual_seed(1)
    torch.set_num_threads(os.cpu_count() or 1)
    data = np.fromfile(images, np.uint8).reshape(-1, 1 + EXTENT * EXTENT * CHANNELS)
    labels = torch.from_numpy(data[:, 0].astype(np.int64))
    pixels = torch.from_numpy(data[:, 1:].reshape(-1, EXTENT, EXTENT, CHANNELS)).permute(0, 3, 1, 2)
    held_out = len(data) // 20
    network = Network().to(memory_format=torch.channels_last)
    steps = (len(data) - held_out) // BATCH
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, EPOCHS * steps)
    test = ready(pixels[:held_out]), labels[:held_out]
    for epoch in range(EPOCHS):
        network.train()
        order = held_out + torch.randperm(len(data) - held_out)
        total = 0.0
        for step in range(steps):
            rows = order[step * BATCH:(step + 1) * BATCH]
            loss = F.cross_entropy(network(ready(pixels[rows])), labels[rows], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / steps:.3f}, {100 * accuracy(network, *test):.1f} % of held-out images right",
              flush=True)
    layers = [folded(network.stem)]
    for block in network.blocks:
        layers += [folded(layer) for layer in block]
    layers += [folded(network.head), [network.classes.weight, network.classes.bias]]
    with open(weights, "wb") as file:
        for tensor in (t for layer in layers for t in layer):
            file.write(tensor.detach().numpy().astype("<f4").tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
