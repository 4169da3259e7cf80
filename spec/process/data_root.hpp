#pragma once

// Finds the data of the programs: beside an installed program, or in the source tree that it was
// built in; never in the working directory.

#include <filesystem>
#include <optional>

namespace spec::process {

// The path of the running program. Of one that an archive's launcher started, that of the launcher:
// the kernel knows the loader alone.
std::filesystem::path executable_path();

// Lets a program of an archive find host names by /etc/hosts and DNS alone, and character sets in
// the archive: the machine's modules for both do not fit the C library of the archive. Before
// threads are started. Nothing for other programs.
void use_own_libraries();

// The folder under which spec/, fixtures/ and contract_tests/ are found with the same relative
// paths: share/counterpart of the installation of `executable`, else the nearest folder above it
// that has the file spec/payments.openapi.yaml; none if there is none.
std::optional<std::filesystem::path> find_data_root(const std::filesystem::path& executable);

}  // namespace spec::process
