#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// Functions of the API that wait or make what only the host may have.
constexpr std::array<std::string_view, 12> kHostOnly = {"cudaDeviceSynchronize",
                                                        "cudaThreadSynchronize",
                                                        "cudaStreamSynchronize",
                                                        "cudaStreamQuery",
                                                        "cudaStreamCreate",
                                                        "cudaStreamCreateWithPriority",
                                                        "cudaEventCreate",
                                                        "cudaEventSynchronize",
                                                        "cudaEventQuery",
                                                        "cudaEventElapsedTime",
                                                        "cudaMemcpy",
                                                        "cudaMemset"};

// Those that CUDA has in device code, too, and the simulator has not.
constexpr std::array<std::string_view, 13> kNotInKernels = {"cudaEventCreateWithFlags",
                                                            "cudaEventRecord",
                                                            "cudaEventDestroy",
                                                            "cudaStreamWaitEvent",
                                                            "cudaMemcpyAsync",
                                                            "cudaMemcpy2DAsync",
                                                            "cudaMemcpy3DAsync",
                                                            "cudaMemsetAsync",
                                                            "cudaMalloc",
                                                            "cudaFree",
                                                            "cudaLaunchKernel",
                                                            "cudaLaunchKernelEx",
                                                            "cudaLaunchCooperativeKernel"};

template <class Names>
bool IsIn(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const char* AdviceFor(std::string_view call) {
  if (call.starts_with("cudaStreamCreate"))
    return "use cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)";
  if (call.ends_with("Synchronize"))
    return "launch what must come after the children into cudaStreamTailLaunch";
  return "call it from host code";
}

void RefuseCallsInKernels(const Unit& unit, std::size_t index) {
  const Token& token = unit.tokens[index];
  if (token.kind != TokenKind::kIdentifier || !At(unit, index + 1, "(")) return;
  if (index > 0 && (At(unit, index - 1, ".") || At(unit, index - 1, "->"))) return;
  const std::string name(token.text);
  if (IsIn(kHostOnly, name)) {
    throw RewriteError(token, name + " is not in CUDA's device code", AdviceFor(name));
  }
  if (IsIn(kNotInKernels, name)) {
    throw RewriteError(token, name + " is not simulated in device code", AdviceFor(name));
  }
}

bool IsLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A name of the API about graphs, `cudaGraphLaunch`, or about graphics, and not one like
// `cudaGraphs` that a program may choose.
bool IsGraphName(std::string_view name) {
  constexpr std::string_view kPrefix = "cudaGraph";
  return name.starts_with("cudaGraphics") ||
         (name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
          std::isupper(static_cast<unsigned char>(name[kPrefix.size()])) != 0);
}

// Types and functions of the API whose declarations the simulator lacks.
bool IsRefusedName(const Unit& unit, std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames = {
      "cudaMipmappedArray_t",
      "cudaMipmappedArray_const_t",
      "cudaGetMipmappedArrayLevel",
      "cudaFreeMipmappedArray",
      "cudaUserObject_t",
      "cudaExternalMemory_t",
      "cudaImportExternalMemory",
      "cudaExternalSemaphore_t",
      "cudaLaunchAttributeProgrammaticEvent",
      "cudaLaunchAttributeLaunchCompletionEvent",
      "cudaLaunchAttributePreferredClusterDimension",
      "cudaFuncAttributeRequiredClusterWidth",
      "cudaFuncAttributeRequiredClusterHeight",
      "cudaFuncAttributeRequiredClusterDepth"};
  if (IsGraphName(name)) return !HeadersDeclare(unit, name);
  return IsIn(kNames, name);
}

bool BeginsDeclaration(const Token& previous) {
  return previous.Is(";") || previous.Is("}") || previous.Is("{") || previous.Is("static") ||
         previous.Is("extern") || previous.Is("inline");
}

// `texture<float, 2> name;` at namespace scope, in a program without a `texture` of its own.
class TextureReferences {
 public:
  explicit TextureReferences(const Unit& unit) : unit_(unit) {
    for (std::size_t i = 1; i < unit.tokens.size() && !has_own_; ++i) {
      const Token& previous = unit.tokens[i - 1];
      has_own_ = unit.tokens[i].Is("texture") && (IsClassKey(previous) || previous.Is("using"));
    }
  }

  bool IsAt(std::size_t index, Scope scope) const {
    return !has_own_ && scope == Scope::kNamespace && unit_.tokens[index].Is("texture") &&
           At(unit_, index + 1, "<") && (index == 0 || BeginsDeclaration(unit_.tokens[index - 1]));
  }

 private:
  const Unit& unit_;
  bool has_own_ = false;
};

void RefuseNames(const Unit& unit, std::size_t index) {
  const Token& token = unit.tokens[index];
  if (token.kind == TokenKind::kIdentifier && IsRefusedName(unit, token.text)) {
    throw RewriteError(token, std::string(token.text) + " is not simulated",
                       "common/cudasim/README.md lists what is");
  }
}

}  // namespace

bool HeadersDeclare(const Unit& unit, std::string_view name) {
  return std::any_of(unit.gaps.begin(), unit.gaps.end(), [&](std::string_view gap) {
    for (std::size_t at = gap.find(name); at != gap.npos; at = gap.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool begins = at == 0 || !IsLetter(gap[at - 1]);
      if (begins && (end == gap.size() || !IsLetter(gap[end]))) return true;
    }
    return false;
  });
}

void RefuseDeviceOnly(const Unit& unit, const std::vector<Scope>& scopes) {
  const TextureReferences textures(unit);
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    RefuseNames(unit, i);
    if (textures.IsAt(i, scopes[i])) {
      throw RewriteError(token, "texture references are not in CUDA for this GPU",
                         "use a texture object: cudaCreateTextureObject()");
    }
    if (scopes[i] == Scope::kDeviceFunction) RefuseCallsInKernels(unit, i);
  }
}

}  // namespace cudasim::rewriter
