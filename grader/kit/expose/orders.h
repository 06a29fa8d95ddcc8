// What orders accesses and is not told to ThreadSanitizer.
#ifndef GRADER_KIT_EXPOSE_ORDERS_H_
#define GRADER_KIT_EXPOSE_ORDERS_H_

#include "grader/kit/expose/ir_text.h"

namespace grader::expose {

// In a function with a fence: makes each relaxed atomic access one that acquires and releases.
void StrengthenAtomics(Lines& function);

// Where tasks take part in a reduction: the program, in which the end of each task releases what
// the combining acquires. It waits for all of them anyway.
Lines WithOrderedTasks(const Lines& program);

}  // namespace grader::expose

#endif  // GRADER_KIT_EXPOSE_ORDERS_H_
