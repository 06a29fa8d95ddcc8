#pragma once

// A library of the CUDA toolkit that a benchmark compares with, loaded when the program starts: it
// builds where the toolkit has only the headers, and runs with the library that the machine has.

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace lab {

// The library lib`name`.so. Stays loaded until the program ends, as its functions must. Any thread
// may call the functions here.
//
//   const lab::ToolkitLibrary library("cublas");
//   const auto create = library.Function<decltype(cublasCreate_v2)>("cublasCreate_v2");
class ToolkitLibrary {
 public:
  // Throws std::runtime_error if no folder that the loader knows has it.
  explicit ToolkitLibrary(const std::string& name) : file_("lib" + name + ".so") {
    for (const char* version : {"", ".13", ".12"}) {
      library_ = dlopen((file_ + version).c_str(), RTLD_NOW);
      if (library_) return;
    }
    throw std::runtime_error("error: no " + file_ +
                             " found\n  next: let LD_LIBRARY_PATH name the toolkit's lib64");
  }

  // The function of type F with this name, as the linker knows it: cublasSgemm is a macro for
  // cublasSgemm_v2 in the header. Throws std::runtime_error if there is none.
  template <typename F>
  F* Function(const char* name) const {
    if (void* function = dlsym(library_, name)) return reinterpret_cast<F*>(function);
    throw std::runtime_error("error: " + file_ + " lacks " + name);
  }

 private:
  std::string file_;
  void* library_ = nullptr;
};

}  // namespace lab
