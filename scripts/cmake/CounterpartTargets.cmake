# Functions for the three kinds of target: library, unit tests, fuzzing program.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # ccache uses relative paths, so that clones share compiled files.
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_ABSSTDERR=1 "${CCACHE_PROGRAM}")
endif()

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
  $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op -Wduplicated-cond>
  # false warnings of g++ 12 for "literal" + std::string at -O2 (its bug 105651)
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # In a unity build, every source is included by another file.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
if(COUNTERPART_WERROR)
  target_compile_options(project_options INTERFACE -Werror)
endif()

# The libraries that every request passes through. They are optimized with -O2, the others of spec and mock_server
# with -O1, which takes less time to build (scripts/README.md); contract_tests and mock_control as by default.
set(counterpart_request_path
  spec_text spec_time spec_json spec_http spec_schema spec_schema_formats spec_schema_patterns spec_contract
  spec_contract_write mock_state mock_reply mock_generated mock_service mock_transport)

# counterpart_batch(NAME SOURCE...): the sources of a target in as few files of a unity build as there can be
# with at most 30 sources in each, and as many in one as in another. Each file reads the same headers and
# makes the same templates again.
function(counterpart_batch name)
  list(LENGTH ARGN count)
  math(EXPR files "(${count} + 29) / 30")
  math(EXPR size "(${count} + ${files} - 1) / ${files}")
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# counterpart_library(NAME SOURCES a.cpp ... HEADERS a.hpp ... [PUBLIC lib ...] [PRIVATE lib ...])
# The static library of a folder. The target all_verify_interface_header_sets compiles each header alone.
function(counterpart_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE")
  add_library(${name} STATIC ${arg_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON POSITION_INDEPENDENT_CODE ON)
  if(NOT name MATCHES "^suite_|^mock_control$|_twin$")
    counterpart_batch(${name} ${arg_SOURCES})
    if(name IN_LIST counterpart_request_path)
      target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O2>)
    else()
      target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endif()
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE project_options ${arg_PRIVATE})
endfunction()

# counterpart_mimalloc(NAME): mimalloc takes the place of malloc, a third of the time of most of our
# programs; a sanitizer brings its own. It stands behind libstdc++, whose operator new throws where there is
# no memory: mimalloc's ends the program.
function(counterpart_mimalloc name)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_libraries(${name} PRIVATE -Wl,--push-state,--no-as-needed stdc++ mimalloc -Wl,--pop-state)
  endif()
endfunction()

# Defines what spec/tests/paths.hpp declares; the only source that differs between clones.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/test_paths.cpp CONTENT
"#include \"spec/tests/paths.hpp\"

std::string test_paths::source() { return \"${PROJECT_SOURCE_DIR}\"; }
std::string test_paths::mock_server() { return \"$<TARGET_FILE:mock_server>\"; }
std::string test_paths::contract_tests() { return \"$<TARGET_FILE:contract_tests>\"; }
")
add_library(test_paths STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/test_paths.cpp)
target_include_directories(test_paths PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(test_paths PRIVATE project_options)

# counterpart_unit_tests(NAME SOURCES a_test.cpp ... LINKS lib ... [DATA file-or-glob ...])
# A GoogleTest program; each of its tests is a ctest entry. DATA names the files from which tests are made: the
# next build finds new ones. spec/tests/paths.hpp gives the paths of the source tree and of the
# programs of this build.
function(counterpart_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_MAIN" "" "SOURCES;LINKS;DATA")
  if(NOT COUNTERPART_TESTS)
    return()
  endif()
  include(GoogleTest)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE project_options test_paths ${arg_LINKS})
  # What is tested is optimized as released; the tests themselves need not be, and build faster so.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(arg_NO_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gmock)
  else()
    target_link_libraries(${name} PRIVATE GTest::gmock_main)
  endif()
  if(arg_DATA)
    file(GLOB data CONFIGURE_DEPENDS ${arg_DATA})
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${data})
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY COUNTERPART_UNIT_TESTS "$<TARGET_FILE:${name}>\n")
  # A name with ':' or '-' makes GoogleTest run no test, and ctest report "Passed": reject such names.
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120
                       PROPERTIES FAIL_REGULAR_EXPRESSION "Running 0 tests" TIMEOUT 300)
endfunction()

# counterpart_fuzzer(NAME SOURCE LINKS lib ... [SEEDS folder]): a libFuzzer program; scripts/fuzz.sh
# runs it, starting from the files of the folder.
function(counterpart_fuzzer name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SEEDS" "LINKS")
  if(NOT COUNTERPART_FUZZ)
    return()
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE project_options ${arg_LINKS})
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

# Lists for scripts: unit_tests.txt, a program per line; fuzzers.txt, "program|seeds" per line.
function(counterpart_write_lists)
  get_property(unit_tests GLOBAL PROPERTY COUNTERPART_UNIT_TESTS)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/unit_tests.txt CONTENT "${unit_tests}")
  get_property(fuzzers GLOBAL PROPERTY COUNTERPART_FUZZERS)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/fuzzers.txt CONTENT "${fuzzers}")
endfunction()
cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL counterpart_write_lists)
