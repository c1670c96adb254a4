// SPDX-License-Identifier: Apache-2.0
// Tokens of the IR's text form, with their place for messages. Comments run from // to the end of
// the line.
#pragma once

#include <string>
#include <string_view>

#include "models/base/error.h"

namespace tally::ir {

struct Token {
  enum class Kind { kEnd, kWord, kNumber, kString, kValue, kSymbol, kFunction };
  Kind kind = Kind::kEnd;
  // Word and number: as written. String: unescaped. Value and function: the name without % or @.
  // Symbol: one character.
  std::string text;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Expected<Token> next();
  // "line L, column C" of the last token.
  std::string place() const;

 private:
  void skip_space();
  std::string take_name();
  Expected<Token> take_string();
  Token take_number();

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t token_begin_ = 0;
};

}  // namespace tally::ir
