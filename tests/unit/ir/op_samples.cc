// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/ir/op_samples.h"

#include <sstream>

namespace tally::ir {
namespace {

const char* const kX = "%x = input() {name = \"x\"} : f32[2,6]\n";
const char* const kRow = "%r = input() {name = \"r\"} : f32[6]\n";
const char* const kAccumulator = R"(
%a = input() {name = "a"} : i32[2,6]
%r = input() {name = "r"} : f32[2]
%c = input() {name = "c"} : f32[6]
%b = input() {name = "b"} : f32[6]
%o = input() {name = "o"} : i32[6]
)";
const char* const kBytes = R"(
%q = input() {name = "q"} : i8[2,8]
%qs = input() {name = "qs"} : f32[2,4]
%k = input() {name = "k"} : i8[5,4]
%ks = input() {name = "ks"} : f32[5,2]
%v = input() {name = "v"} : i8[5,6]
%vs = input() {name = "vs"} : f32[5,2]
%m = input() {name = "m"} : f32[5]
)";

std::string unary(const std::string& name) {
  return std::string(kX) + "%y = " + name + "(%x) : f32[2,6]\n";
}

std::map<std::string, std::string> make_samples() {
  std::string x = kX;
  std::string xr = x + kRow;
  std::string accumulator = kAccumulator;
  std::string bytes = kBytes;
  std::map<std::string, std::string> samples = {
      {"input", x},
      {"constant",
       "%c = constant() {tensor = \"h.0.\\\"w\\\"\\x0a\"} : f16[3,5]\n"
       "%d = constant() {value = [1.5, -0.0, 1e-45, 0x7fc00001, 0xff800000, 3.4028235e+38]} : "
       "f32[2,3]\n"
       "%e = constant() {value = [-128, 127]} : i8[2]\n"
       "%f = constant() {value = [0, 255]} : u8[2]\n"
       "%g = constant() {value = [-2147483648]} : i32[]\n"},
      {"output", x + "output(%x) {name = \"y\"}\n"},
      {"copy", x + "%y = copy(%x) : f32[2,6]@dram\n"},
      {"reshape", x + "%y = reshape(%x) {shape = [3, 4]} : f32[3,4]\n"},
      {"transpose", x + "%y = transpose(%x) : f32[6,2]\n"},
      {"concat_rows", x + "%y = concat_rows(%x, %x) : f32[4,6]\n"},
      {"slice_rows", x + "%y = slice_rows(%x) {begin = 1, end = 2} : f32[1,6]\n"},
      {"slice_columns", x + "%y = slice_columns(%x) {begin = 1, end = 4} : f32[2,3]\n"},
      {"embedding", x + "%i = input() {name = \"ids\"} : i32[3]\n"
                        "%y = embedding(%i, %x) : f32[3,6]\n"},
      {"cache_write", x + "%c = input() {name = \"c\"} : f32[5,6]\n"
                          "%p = input() {name = \"p\"} : i32[1]\n"
                          "%y = cache_write(%c, %x, %p) : f32[5,6]\n"},
      {"add", xr + "%y = add(%x, %r) : f32[2,6]\n%z = add(%y, %x) : f32[2,6]\n"},
      {"mul", xr + "%y = mul(%x, %r) : f32[2,6]\n%z = mul(%y, %x) : f32[2,6]\n"},
      {"layernorm", xr + "%y = layernorm(%x, %r, %r) {eps = 1e-05} : f32[2,6]\n"},
      {"rmsnorm", xr + "%y = rmsnorm(%x, %r) {eps = 1e-06} : f32[2,6]\n"},
      {"rope", x + "%c = input() {name = \"cos\"} : f32[2,1]\n"
                   "%s = input() {name = \"sin\"} : f32[2,1]\n"
                   "%y = rope(%x, %c, %s) {heads = 3} : f32[2,6]\n"},
      {"patchify",
       "%i = input() {name = \"image\"} : u8[2,4,6]\n"
       "%y = patchify(%i) {bias = [-1.0, 0.25], patch = 2, scale = [0.5, 2.0]} : "
       "f32[6,8]\n"},
      {"linear", x + "%w = input() {name = \"w\"} : f32[3,6]\n"
                     "%b = input() {name = \"b\"} : f32[3]\n"
                     "%y = linear(%x, %w, %b) : f32[2,3] at \"h.0.mlp\"\n"
                     "%z = linear(%x, %w) : f32[2,3]\n"},
      {"attention",
       "%q = input() {name = \"q\"} : f32[2,8]\n"
       "%k = input() {name = \"k\"} : f32[5,4]\n"
       "%v = input() {name = \"v\"} : f32[5,6]\n"
       "%m = input() {name = \"m\"} : f32[5]\n"
       "%y = attention(%q, %k, %v, %m) {block = 4, causal = true, heads = 4, "
       "kv_heads = 2, scale = 0.70710677} : f32[2,12]\n"
       "%z = attention(%q, %k, %v) {causal = false, heads = 4, kv_heads = 2, "
       "scale = 0.5} : f32[2,12]\n"},
      {"quantize_rows", x + "%q, %s = quantize_rows(%x) : i8[2,6], f32[2]\n"
                            "%g, %t = quantize_rows(%x) {groups = 3} : i8[2,6], f32[2,3]\n"},
      {"quantize_static", x + "%q = quantize_static(%x) {format = u8, scale = 0.03125, "
                              "zero_point = 128} : u8[2,6]\n"},
      {"matmul_i8",
       "%x = input() {name = \"x\"} : u8[2,6]@activations\n"
       "%w = input() {name = \"w\"} : i8[3,6]@weights\n"
       "%a = matmul_i8(%x, %w) : i32[2,3]@accumulators\n"},
      {"dequantize", accumulator + "%y = dequantize(%a, %r, %c, %b, %o) : f32[2,6]\n"
                                   "%z = dequantize(%a, _, %c, _, %o) : f32[2,6]\n"
                                   "%w = dequantize(%a, _, %c) : f32[2,6]\n"},
      {"requantize", accumulator + "%q = requantize(%a, %c, %o) {format = i8, zero_point = -3} : "
                                   "i8[2,6]\n"},
      {"attention_i8",
       bytes + "%y = attention_i8(%q, %qs, %k, %ks, %v, %vs, %m) {block = 2, causal = true, "
               "heads = 4, kv_heads = 2, scale = 0.5} : f32[2,12]\n"
               "%z = attention_i8(%q, _, %k, _, %v) {causal = false, heads = 4, k_scale = 0.25, "
               "kv_heads = 2, q_scale = 0.5, scale = 1.0, v_scale = 0.125} : f32[2,12]\n"},
  };
  for (const char* name : {"gelu_erf", "gelu_tanh", "silu", "relu", "tanh", "sigmoid", "softmax"})
    samples[name] = unary(name);
  return samples;
}

}  // namespace

const std::map<std::string, std::string>& op_samples() {
  static const std::map<std::string, std::string> samples = make_samples();
  return samples;
}

std::string sample_module(const std::string& body) {
  std::string text = "module \"sample\" {\n  func @main {\n";
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) text += "    " + line + "\n";
  return text + "  }\n}\n";
}

}  // namespace tally::ir
