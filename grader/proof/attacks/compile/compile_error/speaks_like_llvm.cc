// Hostile: an error in clang's words for a malformed text of LLVM's, so that the grader blames
// itself and never judges; whether that text is malformed is told by reading it again.
// Or: policy
#ifdef __clang__
[[gnu::error("slow\n/out/student_races_instrumented.ll:1:1: error: expected type")]]
#endif
void Slow();
volatile int called;
void Count() { Slow(); }
__attribute__((noinline)) void Slow() { called = 1; }
