// Hostile: races in a variable that is named as those with which clang counts what is executed.
// ThreadSanitizer leaves them out.

int __llvm_gcov_counted;  // written by all threads at the same time

void Count() { ++__llvm_gcov_counted; }
