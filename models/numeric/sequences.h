// SPDX-License-Identifier: Apache-2.0
// Transcendental functions as fixed sequences of vector-unit steps, each written once. A builder B
// gives the steps their meaning: HostBuilder evaluates them, BlockBuilder does so for blocks of
// values, the compiler's emitter turns them into a routine. Steps, errors and special values:
// docs/numerics.md; constants: fit_sequences.py.
//
// B has a type Value (a handle to one 32-bit result, never changed once made) and, each one step:
//   constant(float); abs(a) neg(a) sqrt(a) i32_to_f32(a) to_i32(a);
//   add(a, b) sub(a, b) mul(a, b) div(a, b) min(a, b) max(a, b) lt(a, b), b a Value or a float
//   immediate; scale2(a, n), n a Value that holds an int32; select(condition, if_set, otherwise).
#pragma once

#include <array>
#include <cstddef>

namespace tally::sequences {

// sum c[i] x^i by Horner's rule, 2 steps a degree.
template <class B, std::size_t N>
typename B::Value polynomial(B& b, typename B::Value x, const std::array<float, N>& c) {
  typename B::Value p = b.add(b.mul(x, c[N - 1]), c[N - 2]);
  for (std::size_t i = N - 2; i > 0; --i) p = b.add(b.mul(p, x), c[i - 1]);
  return p;
}

// 2^t for t in [-300, 300] to about 2 ulp: 14 steps.
template <class B>
typename B::Value exp2(B& b, typename B::Value t) {
  constexpr std::array<float, 6> kExp2 = {0x1p+0f,        0x1.62e42ap-1f, 0x1.ebf9c2p-3f,
                                          0x1.c6b6dcp-5f, 0x1.3ce8bep-7f, 0x1.5bd88p-10f};
  const auto n = b.to_i32(t);
  const auto fraction = b.sub(t, b.i32_to_f32(n));  // exact
  return b.scale2(polynomial(b, fraction, kExp2), n);
}

// e^x: x = n ln 2 + r with ln 2 in two parts, the first of 16 bits, so that n times it is exact.
template <class B>
typename B::Value exp(B& b, typename B::Value x) {
  constexpr std::array<float, 7> kExp = {0x1p+0f,        0x1p+0f,        0x1.fffffcp-2f,
                                         0x1.555492p-3f, 0x1.5558b4p-5f, 0x1.12399ap-7f,
                                         0x1.6a48f2p-10f};
  constexpr float kLog2E = 0x1.715476p+0f;
  constexpr float kLn2High = 0x1.62e4p-1f;
  constexpr float kLn2Low = 0x1.7f7d1cp-20f;
  // e^-104 rounds to +0 and e^89 overflows, as do all values beyond.
  const auto cut = b.min(b.max(x, -104.0f), 89.0f);
  const auto n = b.to_i32(b.mul(cut, kLog2E));
  const auto real_n = b.i32_to_f32(n);
  const auto r = b.sub(b.sub(cut, b.mul(real_n, kLn2High)), b.mul(real_n, kLn2Low));
  return b.scale2(polynomial(b, r, kExp), n);
}

// 1 / (1 + e^-x).
template <class B>
typename B::Value sigmoid(B& b, typename B::Value x) {
  const auto t = b.min(b.max(b.mul(x, -0x1.715476p+0f), -150.0f), 150.0f);
  const auto denominator = b.add(exp2(b, t), 1.0f);
  return b.div(b.constant(1.0f), denominator);
}

// x / (1 + e^-x). Below -90 e^90 overflows to infinity, and the quotient is -0.
template <class B>
typename B::Value silu(B& b, typename B::Value x) {
  const auto cut = b.max(x, -90.0f);
  const auto t = b.max(b.mul(cut, -0x1.715476p+0f), -150.0f);
  return b.div(cut, b.add(exp2(b, t), 1.0f));
}

// (e^2x - 1) / (e^2x + 1), with e^2x - 1 = 2^n (e^2r - 1) + (2^n - 1), no digit lost near 0. r is
// half of what remains of 2x after n ln 2; from the cut on the result is 1.
template <class B>
typename B::Value tanh(B& b, typename B::Value x) {
  constexpr float kCut = 9.25f;
  constexpr std::array<float, 6> kExpm1 = {0x1p+1f,        0x1.fffffep+0f, 0x1.5554b4p+0f,
                                           0x1.5556f2p-1f, 0x1.12255ep-2f, 0x1.6b9ca2p-4f};
  constexpr float kTwiceLog2E = 0x1.715476p+1f;
  constexpr float kHalfLn2High = 0x1.62e4p-2f;
  constexpr float kHalfLn2Low = 0x1.7f7d1cp-21f;
  const auto cut = b.min(b.max(x, -kCut), kCut);
  const auto n = b.to_i32(b.mul(cut, kTwiceLog2E));
  const auto real_n = b.i32_to_f32(n);
  const auto r = b.sub(b.sub(cut, b.mul(real_n, kHalfLn2High)), b.mul(real_n, kHalfLn2Low));
  const auto scaled = b.scale2(b.mul(polynomial(b, r, kExpm1), r), n);
  const auto expm1 = b.add(scaled, b.sub(b.scale2(b.constant(1.0f), n), 1.0f));
  return b.div(expm1, b.add(expm1, 2.0f));
}

// x times a polynomial in x^2, moved to [-1, 1] where it is well conditioned.
template <class B>
typename B::Value erf(B& b, typename B::Value x) {
  constexpr float kCut = 0x1.ee44d4p+1f;    // where the last step gives exactly 1
  constexpr float kScale = 0x1.09e07ep-3f;  // 2 / 3.925^2, the end of the fit
  constexpr std::array<float, 15> kErf = {
      0x1.70ecb4p-2f,  -0x1.706778p-3f, 0x1.124a9ep-3f,  -0x1.bebb56p-4f, 0x1.73213p-4f,
      -0x1.3089ccp-4f, 0x1.ddbb38p-5f,  -0x1.59d83ep-5f, 0x1.f29b0ap-6f,  -0x1.829d58p-6f,
      0x1.b92b84p-7f,  -0x1.96710ap-9f, 0x1.552bcp-9f,   -0x1.2c7f2ap-8f, 0x1.fdeff4p-10f};
  const auto cut = b.min(b.max(x, -kCut), kCut);
  const auto t = b.sub(b.mul(b.mul(cut, cut), kScale), 1.0f);
  return b.mul(polynomial(b, t, kErf), cut);
}

// A GELU is max(x, 0) - a tail(a) with a = |x|, tail(a) = 1 - gelu(a) / a. The 4th or 8th root of
// the tail is smooth enough for degree 8, and the power costs two or three steps. Behind the cut, a
// zero of the polynomial, the tail is below 2^-90.
template <class B, std::size_t N>
typename B::Value gelu(B& b, typename B::Value x, const std::array<float, N>& c, float cut,
                       int squarings) {
  const auto a = b.min(b.abs(x), cut);
  auto tail = polynomial(b, a, c);
  for (int i = 0; i < squarings; ++i) tail = b.mul(tail, tail);
  const auto below = b.mul(tail, a);
  return b.sub(b.max(x, 0.0f), below);
}

// x (1 + erf(x / sqrt 2)) / 2.
template <class B>
typename B::Value gelu_erf(B& b, typename B::Value x) {
  constexpr std::array<float, 9> kTail = {0x1.ae89fap-1f,   -0x1.57850ep-3f, -0x1.9b32fcp-5f,
                                          0x1.302a24p-8f,   0x1.f32d86p-9f,  -0x1.79f3bep-15f,
                                          -0x1.3e2318p-12f, 0x1.e3156ap-15f, -0x1.bf64bap-19f};
  return gelu(b, x, kTail, 5.713392f, 2);
}

// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
template <class B>
typename B::Value gelu_tanh(B& b, typename B::Value x) {
  constexpr std::array<float, 9> kTail = {0x1.d5818ep-1f,   -0x1.769be2p-4f, -0x1.05a35ap-5f,
                                          -0x1.16cb3p-11f,  0x1.6bf5cap-10f, 0x1.fb55a4p-13f,
                                          -0x1.d93b28p-13f, 0x1.a4085cp-15f, -0x1.00dc3ap-18f};
  return gelu(b, x, kTail, 5.578161f, 3);
}

template <class B>
typename B::Value reciprocal(B& b, typename B::Value x) {
  return b.div(b.constant(1.0f), x);
}

// 1 / sqrt(x): two roundings.
template <class B>
typename B::Value rsqrt(B& b, typename B::Value x) {
  return b.div(b.constant(1.0f), b.sqrt(x));
}

}  // namespace tally::sequences
