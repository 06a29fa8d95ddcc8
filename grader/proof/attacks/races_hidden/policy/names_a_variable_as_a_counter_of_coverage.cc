// Hostile: races in a variable that is named as those with which clang counts what is executed.
// ThreadSanitizer leaves them out.
#include "labs/attacked_cpu/mix.h"

int __llvm_gcov_counted;  // written by all threads at the same time

namespace {

void Count() { ++__llvm_gcov_counted; }

}  // namespace
