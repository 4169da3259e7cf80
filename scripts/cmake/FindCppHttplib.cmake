# Debian's cpp-httplib has a .pc file but no CMake package. Use only the target of pkg-config: its compile
# flags are part of the ABI (sizeof(httplib::Request) differs without them).
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(CppHttplib QUIET IMPORTED_TARGET cpp-httplib)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CppHttplib REQUIRED_VARS CppHttplib_LINK_LIBRARIES
                                  VERSION_VAR CppHttplib_VERSION)
if(CppHttplib_FOUND AND NOT TARGET CppHttplib::CppHttplib)
  add_library(CppHttplib::CppHttplib INTERFACE IMPORTED)
  find_package(OpenSSL REQUIRED)
  find_package(Threads REQUIRED)
  target_link_libraries(CppHttplib::CppHttplib
                        INTERFACE PkgConfig::CppHttplib OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
endif()
