#include "common/cudasim/runtime/diagnostics/source_files.h"

#include <mutex>
#include <set>

namespace cudasim {
namespace {

std::mutex& Mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

std::set<std::string>& Names() {
  static auto* const names = new std::set<std::string>;
  return *names;
}

}  // namespace

void NoteSourceFile(const char* file) {
  static thread_local const char* last = nullptr;
  if (file == last) return;
  last = file;
  const std::lock_guard lock(Mutex());
  Names().insert(file);
}

std::string FindSourceFile(const std::string& path) {
  const std::lock_guard lock(Mutex());
  for (const std::string& name : Names()) {
    if (path == name) return name;
    const bool longer = path.size() > name.size();
    if (longer && path.compare(path.size() - name.size() - 1, std::string::npos, "/" + name) == 0) {
      return name;
    }
  }
  return "";
}

}  // namespace cudasim
