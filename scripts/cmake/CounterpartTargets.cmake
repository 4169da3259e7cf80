# The three kinds of target that every folder makes, so that flags, header checks and test
# registration are written once.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What one clone compiled serves another: paths below the source tree are taken as relative.
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_ABSSTDERR=1 "${CCACHE_PROGRAM}")
endif()

set(CMAKE_CXX_EXTENSIONS OFF)

# Every value of nlohmann_json, in whatever program, is freed as spec/json/teardown says: its header
# of the library's name comes first.
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/spec/json/teardown)

# The standard and the warnings; linked PRIVATE by every target of ours.
add_library(project_options INTERFACE)
target_compile_features(project_options INTERFACE cxx_std_20)
target_compile_options(project_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wno-missing-field-initializers  # a designated initialiser may leave members to their defaults
  $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op -Wduplicated-cond>
  # g++ 12 sees overlaps in "literal" + std::string at -O2 that cannot be (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # To a unity build every source is a header of the file that includes it.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
if(COUNTERPART_WERROR)
  target_compile_options(project_options INTERFACE -Werror)
endif()

# counterpart_library(NAME SOURCES a.cpp ... HEADERS a.hpp ... [PUBLIC lib ...] [PRIVATE lib ...])
# A folder's static library. Its headers are a verified set: each must compile alone.
function(counterpart_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE")
  add_library(${name} STATIC ${arg_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE project_options ${arg_PRIVATE})
endfunction()

# What spec/tests/paths.hpp declares: the only source that differs from clone to clone.
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
# One GoogleTest program, its cases registered one by one with ctest. DATA names the files that the
# cases are made from: a new one is seen by the next build. spec/tests/paths.hpp tells the program where
# the source tree and the programs of this build are.
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
  # A name with ':' or '-' makes GoogleTest run nothing and ctest say "Passed": refuse that.
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120
                       PROPERTIES FAIL_REGULAR_EXPRESSION "Running 0 tests" TIMEOUT 300)
endfunction()

# counterpart_fuzzer(NAME SOURCE LINKS lib ... [SEEDS folder]): a libFuzzer program; scripts/fuzz.sh
# runs them all, starting from the files in the folder.
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

# What scripts run without ctest: unit_tests.txt, a program a line; fuzzers.txt, "program|seeds".
function(counterpart_write_lists)
  get_property(unit_tests GLOBAL PROPERTY COUNTERPART_UNIT_TESTS)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/unit_tests.txt CONTENT "${unit_tests}")
  get_property(fuzzers GLOBAL PROPERTY COUNTERPART_FUZZERS)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/fuzzers.txt CONTENT "${fuzzers}")
endfunction()
cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL counterpart_write_lists)
