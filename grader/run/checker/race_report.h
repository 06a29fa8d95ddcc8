#pragma once

#include <string>
#include <string_view>

namespace grader::checker {

// "data race: the write at sum.cc:21 races with the read of another thread at sum.cc:22": the first
// race of a report of the race checker, each access at the innermost line of the student's file.
// Empty if the report has no such line for both. The report is a stranger's text.
std::string DescribeRace(std::string_view report);

}  // namespace grader::checker
