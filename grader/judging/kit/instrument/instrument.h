// Rewrites a program in LLVM's text form, so that ThreadSanitizer sees what clang and its optimiser
// hide from it. What is not understood stays as it is.
#ifndef GRADER_KIT_INSTRUMENT_INSTRUMENT_H_
#define GRADER_KIT_INSTRUMENT_INSTRUMENT_H_

#include "grader/judging/kit/instrument/ir_text.h"

namespace grader::instrument {

// Before optimisation:
// * No loop asks to be vectorised, because a condition in it would become a load or store with a
//   mask, which is not instrumented.
// * No pointer is known to point to a virtual table: ThreadSanitizer takes for constant what a
//   program reads through one, and a program can make such pointers.
Lines Unoptimised(Lines program);

// After it, before instrumentation:
// * Accesses that are not instrumented are announced to ThreadSanitizer.
// * Pointers for which it leaves out accesses (local_objects.h) are used once more, in an empty
//   assembly statement.
// * The end of each OpenMP task is ordered before the combining of a reduction by tasks, of which
//   Archer does not tell.
Lines Optimised(const Lines& program);

}  // namespace grader::instrument

#endif  // GRADER_KIT_INSTRUMENT_INSTRUMENT_H_
