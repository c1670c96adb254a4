// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/lexer.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tally::ir {
namespace {

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void Lexer::skip_space() {
  while (position_ < text_.size()) {
    if (text_.substr(position_).starts_with("//"))
      position_ = std::min(text_.find('\n', position_), text_.size());
    else if (std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
    else
      return;
  }
}

std::string Lexer::take_name() {
  std::size_t begin = position_;
  while (position_ < text_.size() && is_name_char(text_[position_])) ++position_;
  return std::string(text_.substr(begin, position_ - begin));
}

// Digits, letters and dots, and a sign where it starts the number or follows an exponent.
Token Lexer::take_number() {
  std::size_t begin = position_++;
  bool hexadecimal = text_.substr(begin).starts_with("0x");
  auto exponent_sign = [&] {
    char c = text_[position_];
    return (c == '-' || c == '+') && !hexadecimal && text_[position_ - 1] == 'e';
  };
  while (position_ < text_.size() && (is_name_char(text_[position_]) || exponent_sign()))
    ++position_;
  return {Token::Kind::kNumber, std::string(text_.substr(begin, position_ - begin))};
}

Expected<Token> Lexer::take_string() {
  std::string value;
  for (++position_; position_ < text_.size(); ++position_) {
    char c = text_[position_];
    if (c == '"') {
      ++position_;
      return Token{Token::Kind::kString, value};
    }
    if (c == '\n') break;
    if (c != '\\') {
      value += c;
      continue;
    }
    std::string_view escape = text_.substr(position_ + 1, 3);
    if (escape.starts_with('"') || escape.starts_with('\\')) {
      value += escape[0];
      ++position_;
    } else {
      unsigned code = 0;
      const char* end = escape.data() + escape.size();
      if (escape.size() != 3 || escape[0] != 'x' ||
          std::from_chars(escape.data() + 1, end, code, 16).ptr != end)
        return fail("{}: unknown escape in a string", place());
      value += static_cast<char>(code);
      position_ += 3;
    }
  }
  return fail("{}: string without an end", place());
}

Expected<Token> Lexer::next() {
  skip_space();
  token_begin_ = position_;
  if (position_ >= text_.size()) return Token{};
  char c = text_[position_];
  if (c == '"') return take_string();
  if (c == '%' || c == '@') {
    ++position_;
    std::string name = take_name();
    if (name.empty()) return fail("{}: '{}' without a name", place(), c);
    return Token{c == '%' ? Token::Kind::kValue : Token::Kind::kFunction, name};
  }
  if (is_digit(c) || c == '-') return take_number();
  if (is_name_char(c)) return Token{Token::Kind::kWord, take_name()};
  ++position_;
  return Token{Token::Kind::kSymbol, std::string(1, c)};
}

std::string Lexer::place() const {
  std::string_view before = text_.substr(0, token_begin_);
  auto line = 1 + std::ranges::count(before, '\n');
  auto column = token_begin_ - (before.rfind('\n') + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

}  // namespace tally::ir
