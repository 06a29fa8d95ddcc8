// API calls whose result the program discards, as the rewriter marks them:
//
//   cudaMalloc(&p, n);  ->  (::cudasim::BeginDiscard("cudaMalloc", "file", line),
//                            cudaMalloc(&p, n), ::cudasim::EndDiscard());
//
// An error of such a call that no cudaGetLastError() returns is lost; check mode warns of it at the
// end.
#pragma once

namespace cudasim {

// The strings live as long as the program.
void BeginDiscard(const char* call, const char* file, int line);
void EndDiscard();

}  // namespace cudasim
