#include "common/cudasim/runtime/diagnostics/class_places.h"

#include <mutex>
#include <string_view>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {
namespace {

struct List {
  const ClassPlace* places;
  std::size_t count;
};

// One list for each file of the program.
struct Lists {
  std::mutex mutex;
  std::vector<List> all;
};

Lists& Known() {
  static auto* const lists = new Lists;
  return *lists;
}

// "operator=" of "A<int>::operator=(A<int> const&)".
std::string_view SimpleName(std::string_view function) {
  if (function.ends_with(')')) {
    int depth = 0;
    std::size_t open = function.size();
    do {
      --open;
      if (function[open] == ')') ++depth;
      if (function[open] == '(') --depth;
    } while (depth > 0 && open > 0);
    function = function.substr(0, open);
  }
  const std::size_t scope = function.rfind("::");
  return scope == std::string_view::npos ? function : function.substr(scope + 2);
}

// True if `path` is `file`, perhaps below the folder in which the compiler ran.
bool EndsIn(std::string_view path, std::string_view file) {
  if (!path.ends_with(file)) return false;
  return path.size() == file.size() || path[path.size() - file.size() - 1] == '/';
}

}  // namespace

void NoteClassPlaces(const ClassPlace* places, std::size_t count) {
  Lists& known = Known();
  const std::lock_guard lock(known.mutex);
  known.all.push_back({places, count});
}

bool IsMadeByCompiler(const Place& function) {
  const std::string_view name = SimpleName(function.function);
  Lists& known = Known();
  const std::lock_guard lock(known.mutex);
  for (const List& list : known.all) {
    for (const ClassPlace* place = list.places; place < list.places + list.count; ++place) {
      if (place->line == function.line && (name == "operator=" || name == place->name) &&
          EndsIn(function.file, place->file)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace cudasim
