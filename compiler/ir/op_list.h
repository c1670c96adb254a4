// SPDX-License-Identifier: Apache-2.0
// The op table: every op of the IR, once. Parser, printer, arity and attribute checks, and the list
// in docs/ir.md follow it.
//
// X(enumerator, name, signature, properties, doc)
//   signature   (operands) {attributes} -> (results). `?` marks an optional operand or attribute;
//   operands after an
//               absent one are written with `_` in its place. Attribute types: int, float (fp32),
//               bool, string, ints, floats, format, tensor.
//   properties  bits of ir::Property (op_info.h)
//   doc         one line; shapes and semantics are in docs/ir.md
//
// To add an op: a row here, its type rule in infer_types.cc, its semantics in models/ops, its
// paragraph in docs/ir.md. The tests of those places walk this table and fail until all are there.
#pragma once

#define TALLY_IR_OPS(X)                                                                            \
  /* Boundary and data. */                                                                         \
  X(kInput, input, "() {name: string} -> (y)", kModel | kQuantised | kBoundary,                    \
    "A value given for each run.")                                                                 \
  X(kConstant, constant, "() {tensor: string?, value: tensor?} -> (y)",                            \
    kModel | kQuantised | kBoundary, "A tensor of the module's store, or a small inline value.")   \
  X(kOutput, output, "(x) {name: string} -> ()", kModel | kQuantised | kBoundary | kEffect,        \
    "A result of the run.")                                                                        \
  X(kCopy, copy, "(x) {} -> (y)", kModel | kQuantised | kMoves,                                    \
    "The same value in another memory space.")                                                     \
  X(kReshape, reshape, "(x) {shape: ints} -> (y)", kModel | kQuantised | kMoves,                   \
    "The same elements, row-major, under another shape.")                                          \
  X(kTranspose, transpose, "(x) {} -> (y)", kModel | kQuantised | kMoves, "A matrix transposed.")  \
  X(kConcatRows, concat_rows, "(a, b) {} -> (y)", kModel | kQuantised | kMoves,                    \
    "The rows of a, then those of b.")                                                             \
  X(kSliceRows, slice_rows, "(x) {begin: int, end: int} -> (y)", kModel | kQuantised | kMoves,     \
    "Rows begin to end - 1.")                                                                      \
  X(kSliceColumns, slice_columns, "(x) {begin: int, end: int} -> (y)",                             \
    kModel | kQuantised | kMoves, "Columns begin to end - 1.")                                     \
  X(kEmbedding, embedding, "(ids, table) {} -> (y)", kModel | kQuantised | kMoves | kReadsDram,    \
    "Rows of a table by index.")                                                                   \
  X(kCacheWrite, cache_write, "(cache, rows, position) {} -> (y)",                                 \
    kModel | kQuantised | kMoves | kReadsDram, "The cache with rows replaced from a position on.") \
  /* fp32; in a lowered module these have the exact semantics of the vector unit. */               \
  X(kAdd, add, "(a, b) {} -> (y)", kModel | kQuantised | kElementwise, "a + b, b broadcast.")      \
  X(kMul, mul, "(a, b) {} -> (y)", kModel | kQuantised | kElementwise, "a x b, b broadcast.")      \
  X(kGeluErf, gelu_erf, "(x) {} -> (y)", kModel | kQuantised | kElementwise,                       \
    "GELU by the error function.")                                                                 \
  X(kGeluTanh, gelu_tanh, "(x) {} -> (y)", kModel | kQuantised | kElementwise,                     \
    "GELU's approximation by tanh.")                                                               \
  X(kSilu, silu, "(x) {} -> (y)", kModel | kQuantised | kElementwise, "x times its sigmoid.")      \
  X(kRelu, relu, "(x) {} -> (y)", kModel | kQuantised | kElementwise, "max(x, +0).")               \
  X(kTanh, tanh, "(x) {} -> (y)", kModel | kQuantised | kElementwise, "Hyperbolic tangent.")       \
  X(kSigmoid, sigmoid, "(x) {} -> (y)", kModel | kQuantised | kElementwise,                        \
    "The logistic function.")                                                                      \
  X(kSoftmax, softmax, "(x) {} -> (y)", kModel | kQuantised | kRowwise, "Softmax of each row.")    \
  X(kLayernorm, layernorm, "(x, gamma, beta) {eps: float} -> (y)", kModel | kQuantised | kRowwise, \
    "Layer normalisation of each row.")                                                            \
  X(kRmsnorm, rmsnorm, "(x, gamma) {eps: float} -> (y)", kModel | kQuantised | kRowwise,           \
    "Root-mean-square normalisation of each row.")                                                 \
  X(kRope, rope, "(x, cos, sin) {heads: int} -> (y)", kModel | kQuantised | kElementwise,          \
    "Rotary position embedding, halves rotated, in each head.")                                    \
  X(kPatchify, patchify, "(image) {patch: int, scale: floats, bias: floats} -> (y)",               \
    kModel | kQuantised | kElementwise, "Image bytes to rows of normalised patches.")              \
  /* fp32 products: only before quantisation. */                                                   \
  X(kLinear, linear, "(x, weight, bias?) {} -> (y)", kModel | kProduct,                            \
    "x times weight transposed, plus bias.")                                                       \
  X(kAttention, attention,                                                                         \
    "(q, k, v, mask?) {heads: int, kv_heads: int, causal: bool, scale: float, block: int?}"        \
    " -> (y)",                                                                                     \
    kModel | kProduct, "Scaled dot-product attention over all heads.")                             \
  /* Quantised level: exact, the same bits on every machine. */                                    \
  X(kQuantizeRows, quantize_rows, "(x) {groups: int?} -> (q, scales)", kQuantised | kRowwise,      \
    "Symmetric int8 with a scale for each row, or each group of columns in a row.")                \
  X(kQuantizeStatic, quantize_static,                                                              \
    "(x) {scale: float, zero_point: int, format: format} -> (q)", kQuantised | kElementwise,       \
    "int8 or uint8 with one scale and zero point.")                                                \
  X(kMatmulI8, matmul_i8, "(x, weight) {} -> (acc)", kQuantised | kProduct,                        \
    "Integer products of x and weight transposed, exact in int32.")                                \
  X(kDequantize, dequantize, "(acc, row_scales?, column_scales, bias?, offset?) {} -> (y)",        \
    kQuantised | kElementwise, "Accumulators to fp32 by scales, plus bias.")                       \
  X(kRequantize, requantize,                                                                       \
    "(acc, column_scales, offset?) {zero_point: int, format: format} -> (q)",                      \
    kQuantised | kElementwise, "Accumulators to int8 or uint8 by the ONNX rule.")                  \
  X(kAttentionI8, attention_i8,                                                                    \
    "(q, q_scales?, k, k_scales?, v, v_scales?, mask?) {heads: int, kv_heads: int, causal: bool,"  \
    " scale: float, block: int?, q_scale: float?, k_scale: float?, v_scale: float?} -> (y)",       \
    kQuantised | kProduct, "Attention with int8 products, as in docs/numerics.md.")
