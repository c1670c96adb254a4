// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/parser.h"

#include <bit>
#include <charconv>
#include <limits>
#include <map>

#include "compiler/ir/lexer.h"
#include "compiler/ir/verifier.h"

namespace tally::ir {
namespace {

using Kind = Token::Kind;

template <class T>
Expected<T> parse_number(const std::string& text) {
  const char* end = text.data() + text.size();
  if constexpr (std::is_same_v<T, float>) {
    if (text.starts_with("0x") && text.size() == 10) {
      std::uint32_t bits = 0;
      auto result = std::from_chars(text.data() + 2, end, bits, 16);
      if (result.ec == std::errc() && result.ptr == end) return std::bit_cast<float>(bits);
    }
  }
  T value{};
  auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return fail("bad number '{}'", text);
  return value;
}

template <class T>
Expected<std::vector<T>> parse_numbers(const std::vector<std::string>& texts) {
  std::vector<T> values;
  for (const std::string& text : texts) {
    if constexpr (sizeof(T) == 1) {
      TALLY_ASSIGN(int wide, parse_number<int>(text));
      if (wide < std::numeric_limits<T>::min() || wide > std::numeric_limits<T>::max())
        return fail("{} does not fit its format", wide);
      values.push_back(static_cast<T>(wide));
    } else {
      TALLY_ASSIGN(T value, parse_number<T>(text));
      values.push_back(value);
    }
  }
  return values;
}

template <class T>
Expected<Tensor> make_tensor(const Type& type, const std::vector<std::string>& texts) {
  TALLY_ASSIGN(std::vector<T> values, parse_numbers<T>(texts));
  return Tensor::of(type.shape, std::move(values));
}

Expected<Tensor> inline_tensor(const Type& type, const std::vector<std::string>& texts) {
  if (static_cast<std::int64_t>(texts.size()) != type.elements())
    return fail("{} values for {}", texts.size(), type_text(type));
  switch (type.format) {
    case Format::kF32:
      return make_tensor<float>(type, texts);
    case Format::kI8:
      return make_tensor<std::int8_t>(type, texts);
    case Format::kU8:
      return make_tensor<std::uint8_t>(type, texts);
    case Format::kI32:
      return make_tensor<std::int32_t>(type, texts);
    default:
      return fail("no inline constants of {}", format_name(type.format));
  }
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view source) : lexer_(text), source_(source) {}

  Expected<Module> module() {
    TALLY_TRY(advance());
    TALLY_TRY(expect_word("module"));
    TALLY_ASSIGN(std::string name, take(Kind::kString, "the module's name in quotes"));
    Module module(name);
    TALLY_TRY(expect("{"));
    while (!at("}")) TALLY_TRY(function(module));
    TALLY_TRY(expect("}"));
    if (token_.kind != Kind::kEnd) return error("text after the module");
    return module;
  }

  tl::unexpected<Error> error(const std::string& message) const {
    return fail("{}: {}: {}", source_, lexer_.place(), message);
  }

 private:
  // An inline tensor waits for the type, which stands behind the attributes.
  struct PendingTensor {
    std::string name;
    std::vector<std::string> texts;
  };

  Status function(Module& module) {
    TALLY_TRY(expect_word("func"));
    TALLY_ASSIGN(std::string name, take(Kind::kFunction, "a function name"));
    function_ = module.add_function(name);
    values_.clear();
    TALLY_TRY(expect("{"));
    while (!at("}")) TALLY_TRY(op());
    return expect("}");
  }

  Status op() {
    OpSpec spec{OpKind::kInput, {}};
    if (token_.kind == Kind::kValue) TALLY_TRY(result_names(spec));
    TALLY_ASSIGN(std::string name, take(Kind::kWord, "an op"));
    auto kind = find_op(name);
    if (!kind) return error(fmt::format("unknown op '{}'", name));
    spec.kind = *kind;
    TALLY_TRY(operands(spec));
    std::vector<PendingTensor> pending;
    if (at("{")) TALLY_TRY(attributes(spec, pending));
    if (at(":")) TALLY_TRY(types(spec));
    if (spec.types.size() != spec.names.size())
      return error(fmt::format("{} results but {} types", spec.names.size(), spec.types.size()));
    TALLY_TRY(inline_tensors(spec, pending));
    if (token_.kind == Kind::kWord && token_.text == "at") {
      TALLY_TRY(advance());
      TALLY_ASSIGN(spec.node, take(Kind::kString, "a node name in quotes"));
    }
    return add(std::move(spec));
  }

  Status add(OpSpec spec) {
    std::vector<std::string> names = spec.names;
    Op* op = function_->append(std::move(spec));
    for (std::size_t i = 0; i < names.size(); ++i) values_[names[i]] = op->result(i);
    return {};
  }

  Status result_names(OpSpec& spec) {
    do {
      if (at(",")) TALLY_TRY(advance());
      TALLY_ASSIGN(std::string name, take(Kind::kValue, "a value"));
      bool twice = std::find(spec.names.begin(), spec.names.end(), name) != spec.names.end();
      if (twice || values_.contains(name)) return error(fmt::format("%{} is defined twice", name));
      spec.names.push_back(name);
    } while (at(","));
    return expect("=");
  }

  Status operands(OpSpec& spec) {
    TALLY_TRY(expect("("));
    while (!at(")")) {
      if (!spec.operands.empty()) TALLY_TRY(expect(","));
      if (spec.operands.size() == op_info(spec.kind).operands.size())
        return error(fmt::format("too many operands for {}", op_info(spec.kind).name));
      TALLY_ASSIGN(Value * value, operand());
      spec.operands.push_back(value);
    }
    return expect(")");
  }

  Expected<Value*> operand() {
    if (token_.kind == Kind::kWord && token_.text == "_") {
      TALLY_TRY(advance());
      return nullptr;
    }
    TALLY_ASSIGN(std::string name, take(Kind::kValue, "a value or _"));
    auto found = values_.find(name);
    if (found == values_.end()) return error(fmt::format("%{} is not defined before", name));
    return found->second;
  }

  Status attributes(OpSpec& spec, std::vector<PendingTensor>& pending) {
    TALLY_TRY(expect("{"));
    bool first = true;
    while (!at("}")) {
      if (!first) TALLY_TRY(expect(","));
      first = false;
      TALLY_TRY(attribute(spec, pending));
    }
    return expect("}");
  }

  Status attribute(OpSpec& spec, std::vector<PendingTensor>& pending) {
    TALLY_ASSIGN(std::string name, take(Kind::kWord, "an attribute"));
    const OpInfo& info = op_info(spec.kind);
    const AttributeInfo* declared = info.attribute(name);
    if (declared == nullptr) return error(fmt::format("{} has no attribute '{}'", info.name, name));
    if (spec.attributes.contains(name)) return error(fmt::format("'{}' is given twice", name));
    TALLY_TRY(expect("="));
    if (declared->type == AttributeType::kTensor) {
      TALLY_ASSIGN(std::vector<std::string> texts, numbers());
      pending.push_back({name, std::move(texts)});
      return {};
    }
    TALLY_ASSIGN(Attribute value, attribute_value(declared->type));
    spec.attributes.emplace(name, std::move(value));
    return {};
  }

  Expected<Attribute> attribute_value(AttributeType type) {
    switch (type) {
      case AttributeType::kInt:
        return single<std::int64_t>();
      case AttributeType::kFloat:
        return single<float>();
      case AttributeType::kBool:
        return boolean();
      case AttributeType::kString:
        return take(Kind::kString, "a string");
      case AttributeType::kInts:
        return list<std::int64_t>();
      case AttributeType::kFloats:
        return list<float>();
      case AttributeType::kFormat:
        return format();
      case AttributeType::kTensor:
        break;
    }
    TALLY_CHECK(false, "attribute type");
    return Attribute{};
  }

  template <class T>
  Expected<Attribute> single() {
    TALLY_ASSIGN(std::string text, take(Kind::kNumber, "a number"));
    auto value = parse_number<T>(text);
    if (!value) return error(value.error().message);
    return Attribute(*value);
  }

  template <class T>
  Expected<Attribute> list() {
    TALLY_ASSIGN(std::vector<std::string> texts, numbers());
    auto values = parse_numbers<T>(texts);
    if (!values) return error(values.error().message);
    return Attribute(std::move(*values));
  }

  Expected<Attribute> boolean() {
    TALLY_ASSIGN(std::string word, take(Kind::kWord, "true or false"));
    if (word != "true" && word != "false")
      return error(fmt::format("'{}' is not true or false", word));
    return Attribute(word == "true");
  }

  Expected<Attribute> format() {
    TALLY_ASSIGN(std::string word, take(Kind::kWord, "an element format"));
    auto value = parse_format(word);
    if (!value) return error(value.error().message);
    return Attribute(*value);
  }

  Expected<std::vector<std::string>> numbers() {
    std::vector<std::string> texts;
    TALLY_TRY(expect("["));
    while (!at("]")) {
      if (!texts.empty()) TALLY_TRY(expect(","));
      TALLY_ASSIGN(std::string text, take(Kind::kNumber, "a number"));
      texts.push_back(std::move(text));
    }
    TALLY_TRY(expect("]"));
    return texts;
  }

  Status inline_tensors(OpSpec& spec, const std::vector<PendingTensor>& pending) {
    for (const PendingTensor& tensor : pending) {
      if (spec.types.empty()) return error("an inline tensor without a type");
      auto value = inline_tensor({spec.types[0].format, spec.types[0].shape}, tensor.texts);
      if (!value) return error(value.error().message);
      spec.attributes.emplace(tensor.name, std::move(*value));
    }
    return {};
  }

  Status types(OpSpec& spec) {
    do {
      TALLY_TRY(advance());
      TALLY_ASSIGN(Type value, type());
      spec.types.push_back(std::move(value));
    } while (at(","));
    return {};
  }

  Expected<Type> type() {
    TALLY_ASSIGN(std::string name, take(Kind::kWord, "a type"));
    auto format = parse_format(name);
    if (!format) return error(format.error().message);
    TALLY_ASSIGN(std::vector<std::string> texts, numbers());
    auto shape = parse_numbers<std::int64_t>(texts);
    if (!shape) return error(shape.error().message);
    if (Status status = check_shape(*shape); !status) return error(status.error().message);
    Type type{*format, std::move(*shape)};
    if (token_.kind != Kind::kFunction) return type;
    auto space = parse_space(token_.text);
    if (!space) return error(space.error().message);
    type.space = *space;
    TALLY_TRY(advance());
    return type;
  }

  // ---- tokens

  Status advance() {
    auto token = lexer_.next();
    if (!token) return fail("{}: {}", source_, token.error().message);
    token_ = std::move(*token);
    return {};
  }

  bool at(std::string_view symbol) const {
    return token_.kind == Kind::kSymbol && token_.text == symbol;
  }

  tl::unexpected<Error> expected(std::string_view what) const {
    if (token_.kind == Kind::kEnd) return error(fmt::format("expected {}, found the end", what));
    return error(fmt::format("expected {}, found '{}'", what, token_.text));
  }

  Status expect(std::string_view symbol) {
    if (!at(symbol)) return expected(fmt::format("'{}'", symbol));
    return advance();
  }

  Status expect_word(std::string_view word) {
    if (token_.kind != Kind::kWord || token_.text != word)
      return expected(fmt::format("'{}'", word));
    return advance();
  }

  Expected<std::string> take(Kind kind, std::string_view what) {
    if (token_.kind != kind) return expected(what);
    std::string text = std::move(token_.text);
    TALLY_TRY(advance());
    return text;
  }

  Lexer lexer_;
  std::string source_;
  Token token_;
  Function* function_ = nullptr;
  std::map<std::string, Value*> values_;
};

}  // namespace

Expected<Module> parse(std::string_view text, std::string_view source) {
  Parser parser(text, source);
  TALLY_ASSIGN(Module module, parser.module());
  if (Status status = verify(module); !status)
    return fail("{}: {}", source, status.error().message);
  return module;
}

}  // namespace tally::ir
