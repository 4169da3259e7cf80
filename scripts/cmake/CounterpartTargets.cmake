# Functions for the kinds of target: library, unit tests, library that tests preload, fuzzing program.

find_program(CCACHE_PROGRAM ccache)
set(ccache "")
if(CCACHE_PROGRAM)
  set(ccache ${CCACHE_PROGRAM})
  # ccache uses relative paths, so that clones share compiled files. Not its depend mode: the sources that
  # CMake joins name their parts by absolute paths, so only preprocessed ones are the same in two clones.
  set(ccache_settings env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 CCACHE_ABSSTDERR=1)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache_settings} "${CCACHE_PROGRAM}")
endif()

# In a release, clang compiles the tests, if it is installed: without optimization it takes half of g++'s time. With
# optimization g++ takes less. Not what g++'s code calls: clang relies on callers to widen an argument of one byte, and
# g++ does not always do it.
find_program(CLANG_PROGRAM clang++)
set(by_clang $<OR:$<CXX_COMPILER_ID:Clang>,$<BOOL:$<TARGET_PROPERTY:COUNTERPART_BY_CLANG>>>)
set(by_gcc $<NOT:${by_clang}>)

set(CMAKE_CXX_EXTENSIONS OFF)

# spec/json/teardown has a header with the library's name, which is found first: every program frees JSON
# values as that header does.
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/spec/json/teardown)

# The C++ standard and the warnings; every target links this PRIVATE.
add_library(project_options INTERFACE)
target_compile_features(project_options INTERFACE cxx_std_20)
target_compile_options(project_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wno-missing-field-initializers  # a designated initialiser may leave members to their defaults
  $<${by_gcc}:-Wlogical-op -Wduplicated-cond>
  # false warnings of g++ 12: "literal" + std::string at -O2 (its bug 105651); a value whose making may throw, half made
  $<${by_gcc}:-Wno-restrict -Wno-maybe-uninitialized>
  # In a unity build, every source is included by another file.
  $<${by_gcc}:-Wno-subobject-linkage>
  # part of -Wconversion in clang, not in g++
  $<${by_clang}:-Wno-sign-conversion>
  # texts that are built in; g++ has no limit
  $<${by_clang}:-Wno-overlength-strings>)
# g++ collects its garbage when it has made much of it, which one source seldom does: a tenth of the time, for
# a quarter more memory.
add_compile_options("$<${by_gcc}:SHELL:--param ggc-min-expand=1000 --param ggc-min-heapsize=1000000>")

if(COUNTERPART_WERROR)
  target_compile_options(project_options INTERFACE -Werror)
endif()

# counterpart_library(NAME [HOT] [SOURCES a.cpp ...] [LINKS lib ...])
# Adds the sources of a folder to the static library NAME: `spec`, `mock` or `suite`; `spec_testing` or `mock_testing`
# for what tests share. Folders share one, so that the compiler reads headers and makes templates for many sources at
# once (scripts/bench/NOTES.md, Building); which folder may include which is checked by `scripts/lint.sh includes`.
# HOT: every request or validation passes through it, so a release compiles it with -O2, as NAME_hot. By inlining, g++
# lets a source grow by two fifths, which joined sources use up before string_view::substr is inlined; so they may
# double: a ninth fewer instructions for each request. Everything else of `spec` and `suite` with -O1, of `mock`, where
# it is for the start and for control, with -Og: a fifth less time each. With a sanitizer, what is not hot of `mock` and
# `suite` is not optimized: that takes half the time (scripts/bench/NOTES.md, Building).
function(counterpart_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT" "" "SOURCES;LINKS")
  set(target ${name})
  if(arg_HOT)
    set(target ${name}_hot)
  endif()
  if(NOT TARGET ${target})
    add_library(${target} STATIC EXCLUDE_FROM_ALL)
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE project_options)
    # So that fuzzing programs, which call nothing else, see what they reach. Values that are compared are not noted
    # (-fsanitize=fuzzer-no-link): tests would take half as long again.
    if(COUNTERPART_FUZZ AND name MATCHES "^spec")
      target_compile_options(${target} PRIVATE -fsanitize-coverage=inline-8bit-counters,pc-table)
    endif()
    # so that programs can leave out each function that they do not call
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-ffunction-sections>)
    if(arg_HOT)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>
        "$<$<AND:$<CONFIG:Release>,${by_gcc}>:SHELL:--param inline-unit-growth=100>")
      target_link_libraries(${name} PUBLIC ${target})
      target_link_libraries(${target} PUBLIC ${name})
    elseif(name STREQUAL "mock")
      target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Release>,-Og,-O0>)
    elseif(name STREQUAL "suite")
      target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
    else()
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endif()
  target_sources(${target} PRIVATE ${arg_SOURCES})
  target_link_libraries(${target} PUBLIC ${arg_LINKS})
endfunction()

# counterpart_read(RESULT file...): sets RESULT to the texts of the files, one after the other, to be built in.
# CMake runs again when one of them changes.
function(counterpart_read result)
  set(all "")
  foreach(path IN LISTS ARGN)
    file(READ ${path} text)
    string(APPEND all "${text}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# counterpart_test_code(NAME): the target is for tests: not optimized, and in a release compiled by clang where it is
# there. (Elsewhere one compiler makes all, for a sanitizer is one compiler's.)
function(counterpart_test_code name)
  target_compile_options(${name} PRIVATE -O0)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CLANG_PROGRAM)
    # In front of a compiler, this one replaces it: $0 of sh is g++.
    set(launcher ${ccache_settings} sh -c "exec ${ccache} ${CLANG_PROGRAM} \"$@\"")
    set_target_properties(${name} PROPERTIES COUNTERPART_BY_CLANG ON CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()

# Defines what spec/tests/paths.hpp declares; the only source that differs between clones.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/test_paths.cpp CONTENT
"#include \"spec/tests/paths.hpp\"

std::string test_paths::source() { return \"${PROJECT_SOURCE_DIR}\"; }
std::string test_paths::mock_server() { return \"$<TARGET_FILE:mock_server>\"; }
std::string test_paths::contract_tests() { return \"$<TARGET_FILE:contract_tests>\"; }
std::string test_paths::transport_program() { return \"$<TARGET_FILE:transport_program>\"; }
std::string test_paths::preloaded(const std::string& name) {
  return \"${PROJECT_BINARY_DIR}/preloaded/lib\" + name + \".so\";
}
")
add_library(test_paths STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/test_paths.cpp)
target_include_directories(test_paths PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(test_paths PRIVATE project_options)

# counterpart_unit_tests(NAME [NO_MAIN] [SHARDS n] SOURCES a_test.cpp ... LINKS lib ...)
# A GoogleTest program, and one entry of ctest for each shard of its tests (one shard if not said): a process for
# each test would start some programs hundreds of times, and each start makes all of the tests. A second call with the
# same NAME adds sources, and libraries that are not ours: folders with few tests share a program, which spares the
# compiler the headers that all of them include. spec/tests/paths.hpp gives the paths of the source tree and of the
# programs of this build.
function(counterpart_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_MAIN" "SHARDS" "SOURCES;LINKS")
  if(NOT COUNTERPART_TESTS)
    return()
  endif()
  if(TARGET ${name} AND (arg_NO_MAIN OR arg_SHARDS))
    message(FATAL_ERROR "${name} is there already; only the first call may say NO_MAIN or SHARDS")
  elseif(NOT TARGET ${name})
    add_executable(${name})
    target_link_libraries(${name} PRIVATE project_options test_paths GTest::gmock$<$<NOT:$<BOOL:${arg_NO_MAIN}>>:_main>)
    counterpart_test_code(${name})
    counterpart_optimized(${name} ${arg_LINKS})
    add_dependencies(unit_tests ${name})
    if(NOT arg_SHARDS)
      set(arg_SHARDS 1)
    endif()
    counterpart_shards(${name} ${arg_SHARDS} ${name})
    set_property(TEST ${shards} PROPERTY LABELS unit)
  endif()
  target_sources(${name} PRIVATE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
endfunction()

# counterpart_optimized(NAME lib...): has the linker read our libraries among these (at least one) before the objects
# of the program, and the hot ones first. Of what several made of headers, it takes the first: the optimized, not
# that of the tests, which take half the time so. What the program does not call is left out.
function(counterpart_optimized name)
  foreach(lib IN LISTS ARGN)
    if(lib MATCHES "^(spec|mock|suite)$")
      foreach(archive ${lib}_hot spec_hot ${lib} spec)
        list(APPEND archives "$<$<TARGET_EXISTS:${archive}>:$<TARGET_FILE:${archive}>>")
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archives)
  target_link_options(${name} PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive
    $<$<CONFIG:Release>:-Wl,--gc-sections>)
endfunction()

# counterpart_preloaded(NAME source): a library for LD_PRELOAD; test_paths::preloaded gives its path.
function(counterpart_preloaded name source)
  add_library(${name} MODULE EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE project_options ${CMAKE_DL_LIBS})
  # It is called before a sanitizer's runtime has begun.
  target_compile_options(${name} PRIVATE -fno-sanitize=all)
  target_link_options(${name} PRIVATE -fno-sanitize=all)
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/preloaded)
endfunction()

# counterpart_shards(NAME COUNT COMMAND...): entries NAME_0 to NAME_(COUNT - 1) of ctest, or NAME where there is
# one, each of which runs its share of the tests of a GoogleTest program. Sets `shards` to their names.
function(counterpart_shards name count)
  math(EXPR last "${count} - 1")
  math(EXPR cost "800 + ${count}")  # the longest start first
  foreach(index RANGE ${last})
    set(shard ${name}_${index})
    if(count EQUAL 1)
      set(shard ${name})
    endif()
    add_test(NAME ${shard} COMMAND ${ARGN})
    set_tests_properties(${shard} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${index}"
      FAIL_REGULAR_EXPRESSION "Running 0 tests" TIMEOUT 900 COST ${cost})
    list(APPEND names ${shard})
  endforeach()
  set(shards ${names} PARENT_SCOPE)
endfunction()

# Every program of counterpart_unit_tests.
add_custom_target(unit_tests)

# counterpart_fuzzer(NAME SOURCE LINKS lib ... [SEEDS folder]): a libFuzzer program; scripts/fuzz.sh
# runs it, starting from the files of the folder.
function(counterpart_fuzzer name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SEEDS" "LINKS")
  if(NOT COUNTERPART_FUZZ)
    return()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE project_options ${arg_LINKS})
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzzers)
  add_dependencies(fuzzers ${name})
  if(arg_SEEDS)
    cmake_path(ABSOLUTE_PATH arg_SEEDS BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY COUNTERPART_FUZZERS "$<TARGET_FILE:${name}>|${arg_SEEDS}\n")
endfunction()

# Every fuzzing program.
add_custom_target(fuzzers)

# fuzzers.txt, for fuzz.sh: "program|seeds" per line.
function(counterpart_write_fuzzers)
  get_property(fuzzers GLOBAL PROPERTY COUNTERPART_FUZZERS)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/fuzzers.txt CONTENT "${fuzzers}")
endfunction()
cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL counterpart_write_fuzzers)
