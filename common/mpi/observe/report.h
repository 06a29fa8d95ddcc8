#pragma once

// Findings: what is wrong in a program that uses MPI. The first one ends all ranks. Its sentences
// are those of findings.bzl, where the grader finds its verdict.

#include <string>
#include <vector>

namespace lab::mpi {

// "collectives.cc:27"; the file's name comes from LAB_MPI_FILE.
std::string PlaceOf(int line);

// Writes "mpi: KIND: SENTENCE" and the rows below it, to the file that LAB_MPI_LOG names, or to
// stderr, and ends the process with the exit code of a finding. Waits for good if another rank
// reports.
[[noreturn]] void Report(const char* kind, const std::string& sentence,
                         const std::vector<std::string>& rows = {});

// An argument of the call under way is what none may be: "a tag below 0".
[[noreturn]] void ReportBadArgument(const std::string& what);

// Reports a code that is no success.
void Check(int code, const char* name);

}  // namespace lab::mpi
