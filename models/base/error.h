// SPDX-License-Identifier: Apache-2.0
// Errors by kind: wrong user input is a value that travels (Expected), a broken invariant aborts
// with a message (TALLY_CHECK). Libraries never print or exit; only main does.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tally {

// One message for a person: names the file and the tensor, key, node or field.
struct Error {
  std::string message;
};

template <class T>
using Expected = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

template <class... Args>
tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...)});
}

[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               const std::string& message);

}  // namespace tally

// Aborts when a condition that no input can break does not hold.
#define TALLY_CHECK(condition, ...)                                                         \
  do {                                                                                      \
    if (!(condition))                                                                       \
      ::tally::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (0)

#define TALLY_CONCAT_INNER(a, b) a##b
#define TALLY_CONCAT(a, b) TALLY_CONCAT_INNER(a, b)

// TALLY_ASSIGN(auto x, f()): x = value of f(), or return its error.
#define TALLY_ASSIGN(lhs, ...) \
  TALLY_ASSIGN_IMPL(TALLY_CONCAT(tally_tmp_, __LINE__), lhs, __VA_ARGS__)
#define TALLY_ASSIGN_IMPL(tmp, lhs, ...)                          \
  auto tmp = (__VA_ARGS__);                                       \
  if (!tmp) return ::tl::unexpected<::tally::Error>(tmp.error()); \
  lhs = std::move(*tmp)

// TALLY_TRY(f()): return the error of f() if it has one.
#define TALLY_TRY(...)                                                                  \
  do {                                                                                  \
    auto tally_try_tmp = (__VA_ARGS__);                                                 \
    if (!tally_try_tmp) return ::tl::unexpected<::tally::Error>(tally_try_tmp.error()); \
  } while (0)
