#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the constants of sequences.h and prints them as C++ hexadecimal floats.

Each polynomial is a weighted minimax fit by linear programming on a Chebyshev grid. Coefficients are
rounded to binary32 one at a time, lowest order first, and the rest is fitted again. Needs numpy and
scipy; the build does not run it. The errors that count are measured by tally-full-range.
"""
import numpy as np
from scipy.optimize import linprog
from scipy.special import erf, ndtr

SCALE = 2.0**24  # errors in units of 2^-24


def grid(low, high, points=3000):
    nodes = np.cos(np.pi * (np.arange(points) + 0.5) / points)
    return (low + high) / 2 + (high - low) / 2 * nodes


def minimax(columns, target):
    """Coefficients c and the bound on |columns @ c - target|."""
    scale = np.abs(columns).max(axis=0)
    columns = columns / scale
    start = np.linalg.lstsq(columns, target, rcond=None)[0]
    residual = target - columns @ start
    unit = max(np.abs(residual).max(), 1e-12)
    rows, count = columns.shape
    bound = -np.ones((rows, 1))
    lhs = np.vstack([np.hstack([columns, bound]), np.hstack([-columns, bound])])
    rhs = np.concatenate([residual, -residual]) / unit
    limits = [(None, None)] * count + [(0, None)]
    result = linprog(np.r_[np.zeros(count), 1], A_ub=lhs, b_ub=rhs, bounds=limits, method="highs")
    if result.status != 0:
        raise RuntimeError(result.message)
    return (start + result.x[:count] * unit) / scale, result.x[count] * unit


def rounded_fit(name, basis, target, weight, fixed=None):
    """Fits sum c[i] basis[i] to target, rounding c[0], c[1], ... to binary32 in turn."""
    known = dict(fixed or {})
    for index in range(len(basis)):
        if index in known:
            continue
        free = [i for i in range(len(basis)) if i not in known]
        rest = target - sum(c * basis[i] for i, c in known.items())
        columns = np.stack([basis[i] for i in free], 1) * weight[:, None] * SCALE
        known[index] = float(np.float32(minimax(columns, rest * weight * SCALE)[0][0]))
    coefficients = [known[i] for i in range(len(basis))]
    error = sum(c * b for c, b in zip(coefficients, basis)) - target
    print(f"{name}: weighted error {np.abs(error * weight).max() * SCALE:.3f} x 2^-24")
    print("    " + ", ".join(short_hex(c) for c in coefficients))
    return coefficients


def short_hex(value):
    mantissa, exponent = float(value).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent + "f"


def powers(x, degree):
    return [x**i for i in range(degree + 1)]


def fit_exp():
    x = grid(-0.3469, 0.3469)
    rounded_fit("exp", powers(x, 6), np.exp(x), np.exp(-x), {0: 1.0})


def fit_exp2():
    x = grid(-0.5001, 0.5001)
    rounded_fit("exp2", powers(x, 5), 2**x, 2**-x, {0: 1.0})


def fit_gelu(name, upper_tail, limit, root, degree):
    """P(a)^root = upper_tail(a); the weight makes it the error of a (1 - upper_tail(a)) relative to
    that value. The cut in sequences.h is the zero of P behind the fit, printed as well."""
    a = grid(0, limit)
    tail = upper_tail(a)
    target = tail ** (1 / root)
    weight = root * target ** (root - 1) / (1 - tail) + 1e-9
    coefficients = rounded_fit(name, powers(a, degree), target, weight)
    zeros = [z.real for z in np.roots(coefficients[::-1]) if z.imag == 0 and z.real > limit]
    print("    zeros behind the fit:", ", ".join(f"{z:.7g}" for z in sorted(zeros)))


def tanh_gelu_tail(a):
    return 1 / (1 + np.exp(2 * np.sqrt(2 / np.pi) * (a + 0.044715 * a**3)))


def fit_expm1_double():
    """(e^(2r) - 1) / r for tanh."""
    r = grid(-0.17345, 0.17345, 3001)
    r[np.abs(r) < 1e-9] = 1e-9
    target = np.expm1(2 * r) / r
    rounded_fit("expm1(2r) / r", powers(r, 5), target, 1 / target, {0: 2.0})


def fit_erf(limit=3.925, degree=14):
    """erf(x) / x as a polynomial in t = x^2 scale - 1, which runs over [-1, 1]."""
    scale = float(np.float32(2 / limit**2))
    x = np.maximum((grid(-1, 1) + 1) / 2 * limit, 1e-9)
    t = x * x * scale - 1
    print("erf scale:\n    " + short_hex(scale))
    rounded_fit("erf", powers(t, degree), erf(x) / x, x / erf(x))


if __name__ == "__main__":
    fit_exp()
    fit_exp2()
    fit_gelu("gelu_erf", lambda a: ndtr(-a), 5.6, 4, 8)
    fit_gelu("gelu_tanh", tanh_gelu_tail, 5.2, 8, 8)
    fit_expm1_double()
    fit_erf()
