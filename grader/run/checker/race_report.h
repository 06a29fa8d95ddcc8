#pragma once

#include <string>
#include <string_view>

namespace grader::checker {

// "data race: the write at sum.cc:21 races with the read of another thread at sum.cc:22": the first
// race of a report of the race checker, each access at the innermost line of the student's file.
// Empty if the report has no such line for both. The report is a stranger's text.
std::string DescribeRace(std::string_view report);

// "deadlock: locks M0 at sum.cc:12 and then M1 at sum.cc:13, elsewhere M1 at sum.cc:30 and then M0
// at sum.cc:31: two threads can wait for each other forever": the first report of locks in both
// orders, with the report's names of the mutexes. Empty if a place in the student's file is
// missing. The report is a stranger's text.
std::string DescribeLockOrders(std::string_view report);

}  // namespace grader::checker
