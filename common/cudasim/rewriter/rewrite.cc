#include "common/cudasim/rewriter/rewrite.h"

#include "common/cudasim/rewriter/lexer.h"
#include "common/cudasim/rewriter/opencl.h"
#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {

std::string Rewrite(std::string source, Linkage linkage, std::vector<std::string>* notes) {
  RefuseToolkitHeaders(source);
  Unit unit = Lex(PlaceOpenClKernels(std::move(source)));
  const std::vector<Scope> scopes = FindScopes(unit);
  RefuseDeviceOnly(unit, scopes);
  RefuseHostLaunches(unit, scopes);
  if (notes != nullptr) *notes = NoteSharedAddresses(unit, scopes);
  RefuseHostCalls(unit, scopes);
  RewriteAssembly(unit, scopes);
  RewriteKernels(unit);
  RewriteLaunches(unit);
  if (linkage == Linkage::kOneFile) RewriteLinkage(unit, scopes);
  RewriteDeviceVariables(unit);
  RewriteShared(unit, scopes);
  RewriteVolatileAssignments(unit, scopes);
  RewriteUnusedAtomics(unit);
  RewriteDiscardedCalls(unit);
  RewriteNoinline(unit);
  ListClasses(unit);
  ListFlatIndices(unit);
  return Print(unit);
}

}  // namespace cudasim::rewriter
