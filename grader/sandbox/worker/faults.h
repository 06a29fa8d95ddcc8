#pragma once

namespace grader::worker {

// From now on a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) on any thread is reported to the
// checker, with the span it was near to, before the process dies of it. Call it once.
void ReportFaults();

}  // namespace grader::worker
