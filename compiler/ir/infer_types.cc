// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/infer_types.h"

#include <algorithm>

namespace tally::ir {
namespace {

using Types = std::vector<Type>;
using Result = Expected<Types>;

const Type& type_of(const Op& op, std::string_view operand) { return op.operand(operand)->type; }

Type f32(Shape shape) { return {Format::kF32, std::move(shape)}; }

bool is_byte(Format format) { return format == Format::kI8 || format == Format::kU8; }

// The operand is a matrix of `format`.
Status need_matrix(const Op& op, std::string_view operand, Format format = Format::kF32) {
  const Type& type = type_of(op, operand);
  if (type.rank() != 2 || type.format != format)
    return fail("{} is {}, not a matrix of {}", operand, type_text(type), format_name(format));
  return {};
}

// The operand is absent or exactly `format` of `shape`.
Status need(const Op& op, std::string_view operand, Format format, const Shape& shape) {
  const Value* value = op.operand(operand);
  if (value == nullptr) return {};
  if (value->type.format != format || value->type.shape != shape)
    return fail("{} is {}, not {}", operand, type_text(value->type), type_text({format, shape}));
  return {};
}

Status need_multiple(std::string_view what, std::int64_t value, std::string_view of,
                     std::int64_t divisor) {
  if (divisor < 1) return fail("{} is {}, not positive", of, divisor);
  if (value % divisor != 0)
    return fail("{} is {}, not a multiple of {} ({})", what, value, of, divisor);
  return {};
}

// ---- boundary and movement

Result declared(const Op& op) {
  if (op.results().empty()) return fail("no result type");
  Type type = op.result()->type;
  TALLY_TRY(check_shape(type.shape));
  type.space = Space::kNone;
  return Types{type};
}

Result constant(const Op& op) {
  if (op.has("tensor") == op.has("value"))
    return fail("needs one of the attributes 'tensor' and 'value'");
  if (!op.has("value")) return declared(op);
  Type type = op.get<Tensor>("value").type();
  type.space = Space::kNone;
  return Types{type};
}

Result output(const Op&) { return Types{}; }

Result same(const Op& op) {
  Type type = op.operand(0)->type;
  type.space = Space::kNone;
  return Types{type};
}

Result reshape(const Op& op) {
  const Type& x = type_of(op, "x");
  Type y{x.format, op.get<std::vector<std::int64_t>>("shape")};
  TALLY_TRY(check_shape(y.shape));
  if (y.elements() != x.elements())
    return fail("shape {} has not the elements of {}", shape_text(y.shape), type_text(x));
  return Types{y};
}

Result transpose(const Op& op) {
  const Type& x = type_of(op, "x");
  if (x.rank() != 2) return fail("x is {}, not a matrix", type_text(x));
  return Types{{x.format, {x.shape[1], x.shape[0]}}};
}

Result concat_rows(const Op& op) {
  const Type& a = type_of(op, "a");
  const Type& b = type_of(op, "b");
  if (a.rank() != 2 || b.rank() != 2 || a.format != b.format || a.shape[1] != b.shape[1])
    return fail("a is {} and b {}, not matrices of one format and width", type_text(a),
                type_text(b));
  return Types{{a.format, {a.shape[0] + b.shape[0], a.shape[1]}}};
}

Result slice(const Op& op, std::size_t dimension) {
  Type y = type_of(op, "x");
  y.space = Space::kNone;
  if (y.rank() != 2) return fail("x is {}, not a matrix", type_text(y));
  auto begin = op.get<std::int64_t>("begin");
  auto end = op.get<std::int64_t>("end");
  if (begin < 0 || end <= begin || end > y.shape[dimension])
    return fail("range {} to {} is not within {}", begin, end, y.shape[dimension]);
  y.shape[dimension] = end - begin;
  return Types{y};
}

Result slice_rows(const Op& op) { return slice(op, 0); }
Result slice_columns(const Op& op) { return slice(op, 1); }

Result embedding(const Op& op) {
  const Type& ids = type_of(op, "ids");
  const Type& table = type_of(op, "table");
  if (ids.rank() != 1 || ids.format != Format::kI32)
    return fail("ids is {}, not a vector of i32", type_text(ids));
  if (table.rank() != 2) return fail("table is {}, not a matrix", type_text(table));
  return Types{{table.format, {ids.shape[0], table.shape[1]}}};
}

Result cache_write(const Op& op) {
  const Type& cache = type_of(op, "cache");
  const Type& rows = type_of(op, "rows");
  if (cache.rank() != 2 || rows.rank() != 2 || cache.format != rows.format ||
      cache.shape[1] != rows.shape[1] || rows.shape[0] > cache.shape[0])
    return fail("rows {} do not fit into cache {}", type_text(rows), type_text(cache));
  TALLY_TRY(need(op, "position", Format::kI32, {1}));
  return Types{{cache.format, cache.shape}};
}

// ---- fp32

Result binary(const Op& op) {
  const Type& a = type_of(op, "a");
  const Type& b = type_of(op, "b");
  bool fits =
      b.shape == a.shape || (b.rank() == 1 && a.rank() >= 1 && b.shape[0] == a.shape.back());
  if (a.format != Format::kF32 || b.format != Format::kF32 || !fits)
    return fail("a is {} and b {}: b must have a's shape or be a row of it, in f32", type_text(a),
                type_text(b));
  return Types{f32(a.shape)};
}

Result unary(const Op& op) {
  const Type& x = type_of(op, "x");
  if (x.format != Format::kF32) return fail("x is {}, not f32", type_text(x));
  return Types{f32(x.shape)};
}

Result rowwise(const Op& op) {
  TALLY_TRY(need_matrix(op, "x"));
  return unary(op);
}

Result norm(const Op& op) {
  TALLY_TRY(need_matrix(op, "x"));
  std::int64_t width = type_of(op, "x").shape[1];
  TALLY_TRY(need(op, "gamma", Format::kF32, {width}));
  if (op.kind() == OpKind::kLayernorm) TALLY_TRY(need(op, "beta", Format::kF32, {width}));
  if (!(op.get<float>("eps") >= 0)) return fail("eps is {}", float_text(op.get<float>("eps")));
  return unary(op);
}

Result rope(const Op& op) {
  TALLY_TRY(need_matrix(op, "x"));
  const Shape& x = type_of(op, "x").shape;
  auto heads = op.get<std::int64_t>("heads");
  TALLY_TRY(need_multiple("width of x", x[1], "heads", heads));
  std::int64_t width = x[1] / heads;
  TALLY_TRY(need_multiple("head width", width, "two", 2));
  TALLY_TRY(need(op, "cos", Format::kF32, {x[0], width / 2}));
  TALLY_TRY(need(op, "sin", Format::kF32, {x[0], width / 2}));
  return unary(op);
}

Result patchify(const Op& op) {
  const Type& image = type_of(op, "image");
  if (image.rank() != 3 || image.format != Format::kU8)
    return fail("image is {}, not u8[channels,height,width]", type_text(image));
  auto patch = op.get<std::int64_t>("patch");
  TALLY_TRY(need_multiple("image height", image.shape[1], "patch", patch));
  TALLY_TRY(need_multiple("image width", image.shape[2], "patch", patch));
  auto channels = static_cast<std::size_t>(image.shape[0]);
  if (op.get<std::vector<float>>("scale").size() != channels ||
      op.get<std::vector<float>>("bias").size() != channels)
    return fail("scale and bias need one value for each of {} channels", channels);
  std::int64_t patches = (image.shape[1] / patch) * (image.shape[2] / patch);
  return Types{f32({patches, image.shape[0] * patch * patch})};
}

Result linear(const Op& op) {
  TALLY_TRY(need_matrix(op, "x"));
  TALLY_TRY(need_matrix(op, "weight"));
  const Shape& x = type_of(op, "x").shape;
  const Shape& weight = type_of(op, "weight").shape;
  if (x[1] != weight[1]) return fail("x has {} columns, weight {}", x[1], weight[1]);
  TALLY_TRY(need(op, "bias", Format::kF32, {weight[0]}));
  return Types{f32({x[0], weight[0]})};
}

// Shapes that both forms of attention share; the result is [queries, heads x width of a head of v].
Result attention_shape(const Op& op) {
  const Shape& q = type_of(op, "q").shape;
  const Shape& k = type_of(op, "k").shape;
  const Shape& v = type_of(op, "v").shape;
  auto heads = op.get<std::int64_t>("heads");
  auto kv_heads = op.get<std::int64_t>("kv_heads");
  TALLY_TRY(need_multiple("heads", heads, "kv_heads", kv_heads));
  TALLY_TRY(need_multiple("width of q", q[1], "heads", heads));
  TALLY_TRY(need_multiple("width of v", v[1], "kv_heads", kv_heads));
  if (q[1] / heads * kv_heads != k[1] || k[0] != v[0])
    return fail("q {}, k {} and v {} do not belong together", shape_text(q), shape_text(k),
                shape_text(v));
  if (op.get<bool>("causal") && q[0] > k[0])
    return fail("causal with {} queries and {} keys", q[0], k[0]);
  if (op.has("block") && op.get<std::int64_t>("block") < 1) return fail("block is not positive");
  TALLY_TRY(need(op, "mask", Format::kF32, {k[0]}));
  return Types{f32({q[0], v[1] / kv_heads * heads})};
}

Result attention(const Op& op) {
  for (auto operand : {"q", "k", "v"}) TALLY_TRY(need_matrix(op, operand));
  return attention_shape(op);
}

// ---- quantised

Result quantize_rows(const Op& op) {
  TALLY_TRY(need_matrix(op, "x"));
  const Shape& x = type_of(op, "x").shape;
  Type q{Format::kI8, x};
  if (!op.has("groups")) return Types{q, f32({x[0]})};
  auto groups = op.get<std::int64_t>("groups");
  TALLY_TRY(need_multiple("width of x", x[1], "groups", groups));
  return Types{q, f32({x[0], groups})};
}

// Attributes `format` and `zero_point` of a result in int8 or uint8.
Status check_zero_point(const Op& op) {
  Format format = op.get<Format>("format");
  if (!is_byte(format)) return fail("format is {}, not i8 or u8", format_name(format));
  auto zero_point = op.get<std::int64_t>("zero_point");
  std::int64_t low = format == Format::kI8 ? -128 : 0;
  if (zero_point < low || zero_point > low + 255)
    return fail("zero_point {} is not one of {}", zero_point, format_name(format));
  return {};
}

Result quantize_static(const Op& op) {
  TALLY_TRY(check_zero_point(op));
  const Type& x = type_of(op, "x");
  if (x.format != Format::kF32) return fail("x is {}, not f32", type_text(x));
  if (!(op.get<float>("scale") > 0)) return fail("scale is {}", float_text(op.get<float>("scale")));
  return Types{{op.get<Format>("format"), x.shape}};
}

Result matmul_i8(const Op& op) {
  const Type& x = type_of(op, "x");
  TALLY_TRY(need_matrix(op, "weight", Format::kI8));
  const Shape& weight = type_of(op, "weight").shape;
  if (x.rank() != 2 || !is_byte(x.format))
    return fail("x is {}, not a matrix of i8 or u8", type_text(x));
  if (x.shape[1] != weight[1]) return fail("x has {} columns, weight {}", x.shape[1], weight[1]);
  constexpr std::int64_t kDepth = (std::int64_t{1} << 31) / (255 * 128);
  if (x.shape[1] > kDepth)
    return fail("{} products may overflow int32 (at most {})", x.shape[1], kDepth);
  return Types{{Format::kI32, {x.shape[0], weight[0]}}};
}

Status check_accumulator(const Op& op) {
  TALLY_TRY(need_matrix(op, "acc", Format::kI32));
  const Shape& acc = type_of(op, "acc").shape;
  TALLY_TRY(need(op, "column_scales", Format::kF32, {acc[1]}));
  return need(op, "offset", Format::kI32, {acc[1]});
}

Result dequantize(const Op& op) {
  TALLY_TRY(check_accumulator(op));
  const Shape& acc = type_of(op, "acc").shape;
  TALLY_TRY(need(op, "row_scales", Format::kF32, {acc[0]}));
  TALLY_TRY(need(op, "bias", Format::kF32, {acc[1]}));
  return Types{f32(acc)};
}

Result requantize(const Op& op) {
  TALLY_TRY(check_accumulator(op));
  TALLY_TRY(check_zero_point(op));
  return Types{{op.get<Format>("format"), type_of(op, "acc").shape}};
}

// Exactly one of the operand NAME_scales (f32[rows, heads]) and the attribute NAME_scale.
Status check_scales(const Op& op, const std::string& name, std::int64_t heads) {
  bool dynamic = op.operand(name + "_scales") != nullptr;
  if (dynamic == op.has(name + "_scale"))
    return fail("needs one of the operand {0}_scales and the attribute {0}_scale", name);
  if (!dynamic && !(op.get<float>(name + "_scale") > 0))
    return fail("{}_scale is not positive", name);
  return need(op, name + "_scales", Format::kF32, {type_of(op, name).shape[0], heads});
}

Result attention_i8(const Op& op) {
  for (auto operand : {"q", "k", "v"}) TALLY_TRY(need_matrix(op, operand, Format::kI8));
  TALLY_ASSIGN(Types result, attention_shape(op));
  TALLY_TRY(check_scales(op, "q", op.get<std::int64_t>("heads")));
  TALLY_TRY(check_scales(op, "k", op.get<std::int64_t>("kv_heads")));
  TALLY_TRY(check_scales(op, "v", op.get<std::int64_t>("kv_heads")));
  return result;
}

Result rule(const Op& op) {
  switch (op.kind()) {
    case OpKind::kInput:
      return declared(op);
    case OpKind::kConstant:
      return constant(op);
    case OpKind::kOutput:
      return output(op);
    case OpKind::kCopy:
      return same(op);
    case OpKind::kReshape:
      return reshape(op);
    case OpKind::kTranspose:
      return transpose(op);
    case OpKind::kConcatRows:
      return concat_rows(op);
    case OpKind::kSliceRows:
      return slice_rows(op);
    case OpKind::kSliceColumns:
      return slice_columns(op);
    case OpKind::kEmbedding:
      return embedding(op);
    case OpKind::kCacheWrite:
      return cache_write(op);
    case OpKind::kAdd:
    case OpKind::kMul:
      return binary(op);
    case OpKind::kGeluErf:
    case OpKind::kGeluTanh:
    case OpKind::kSilu:
    case OpKind::kRelu:
    case OpKind::kTanh:
    case OpKind::kSigmoid:
      return unary(op);
    case OpKind::kSoftmax:
      return rowwise(op);
    case OpKind::kLayernorm:
    case OpKind::kRmsnorm:
      return norm(op);
    case OpKind::kRope:
      return rope(op);
    case OpKind::kPatchify:
      return patchify(op);
    case OpKind::kLinear:
      return linear(op);
    case OpKind::kAttention:
      return attention(op);
    case OpKind::kQuantizeRows:
      return quantize_rows(op);
    case OpKind::kQuantizeStatic:
      return quantize_static(op);
    case OpKind::kMatmulI8:
      return matmul_i8(op);
    case OpKind::kDequantize:
      return dequantize(op);
    case OpKind::kRequantize:
      return requantize(op);
    case OpKind::kAttentionI8:
      return attention_i8(op);
  }
  TALLY_CHECK(false, "op kind {}", static_cast<int>(op.kind()));
  return Types{};
}

Status check_attributes(const Op& op) {
  for (const auto& [name, value] : op.attributes) {
    const AttributeInfo* info = op.info().attribute(name);
    if (info == nullptr) return fail("has no attribute '{}'", name);
    if (info->type != attribute_type(value))
      return fail("attribute '{}' is of type {}, not {}", name,
                  attribute_type_name(attribute_type(value)), attribute_type_name(info->type));
  }
  for (const AttributeInfo& info : op.info().attributes)
    if (!info.optional && !op.has(info.name)) return fail("lacks attribute '{}'", info.name);
  return {};
}

}  // namespace

Status check_form(const Op& op) {
  const OpInfo& info = op.info();
  for (std::size_t i = 0; i < info.operands.size(); ++i)
    if (op.operand(i) == nullptr && !info.operands[i].optional)
      return fail("lacks operand '{}'", info.operands[i].name);
  return check_attributes(op);
}

Expected<std::vector<Type>> infer_types(const Op& op) {
  TALLY_ASSIGN(Types types, rule(op));
  for (const Type& type : types) TALLY_TRY(check_shape(type.shape));
  return types;
}

}  // namespace tally::ir
