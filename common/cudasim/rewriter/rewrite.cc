#include "common/cudasim/rewriter/rewrite.h"

#include "common/cudasim/rewriter/lexer.h"
#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {

std::string Rewrite(std::string source) {
  Unit unit = Lex(std::move(source));
  RewriteKernels(unit);  // first: it looks for launches inside kernels
  RewriteLaunches(unit);
  RewriteDeviceVariables(unit);
  RewriteShared(unit);
  RewriteNoinline(unit);
  return Print(unit);
}

}  // namespace cudasim::rewriter
