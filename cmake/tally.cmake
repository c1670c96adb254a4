# SPDX-License-Identifier: Apache-2.0
# Flags, packages and the helper functions that every folder's CMakeLists.txt uses.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(TALLY_PCH "Compile the headers that most files include once" ON)

# Without the two settings ccache takes no file that uses precompiled headers.
find_program(TALLY_CCACHE ccache)
if(TALLY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TALLY_CCACHE})
  if(TALLY_PCH)
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# GCC 12 warns of its own std::string where precompiled headers hide that it is the library's.
if(TALLY_PCH)
  add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# -ffp-contract=off: one rounding a step (docs/numerics.md); never -ffast-math, never -march=native.
add_compile_options(-Wall -Wextra -Werror -ffp-contract=off)
if(TALLY_SANITIZE)
  # GCC's uninitialised-value warnings are wrong in the standard library's own headers here.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()
include_directories(${CMAKE_SOURCE_DIR})

find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(GTest REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)

# tally_precompiled(NAME HEADERS... [LINK DEPS...]): a target whose precompiled headers others reuse.
function(tally_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cc "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  target_precompile_headers(${name} PRIVATE ${arg_UNPARSED_ARGUMENTS})
endfunction()
function(tally_reuse_precompiled target name)
  if(TALLY_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
set(common_headers <fmt/format.h> <tl/expected.hpp> <algorithm> <array> <cmath> <filesystem> <fstream> <functional>
  <map> <memory> <optional> <set> <span> <string> <variant> <vector>)
# Compiling a test takes longer than running it.
set(test_optimisation $<IF:$<BOOL:${TALLY_SANITIZE}>,-O0,-O1>)
if(TALLY_PCH)
  tally_precompiled(tally_headers ${common_headers} LINK fmt::fmt)
  tally_precompiled(tally_test_headers ${common_headers} <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>
    LINK fmt::fmt GTest::gtest GTest::gmock)
  target_compile_options(tally_test_headers PRIVATE ${test_optimisation})
endif()

# tally_library(NAME DEPS...): one library from all *.cc of the current folder.
function(tally_library name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC ${ARGN})
    tally_reuse_precompiled(${name} tally_headers)
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARGN})
  endif()
endfunction()

# tally_test(NAME LABELS DEPS...): one GoogleTest program from all *.cc of the current folder, one CTest entry.
# Label bits beside unit: runs in the sanitised and in the optimised build, since both must give the same bits.
function(tally_test name labels)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARGN} fmt::fmt GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${test_optimisation})
  tally_reuse_precompiled(${name} tally_test_headers)
  target_compile_definitions(${name} PRIVATE TALLY_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
  foreach(label IN LISTS labels)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})  # all programs of a label, as `ninja tests_unit`
    endif()
    add_dependencies(tests_${label} ${name})
  endforeach()
endfunction()
