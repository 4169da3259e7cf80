#pragma once

// A run from the command line to the exit code: load, find the server, register, run, report.

#include "contract_tests/program/course/course.hpp"
#include "contract_tests/program/flags/options.hpp"

namespace contract_tests::program::course {

// Loads what `options` names, runs the cases of `course`, writes the reports; gives the exit code.
int carry_out(flags::Options& options, Course& course);

}  // namespace contract_tests::program::course
