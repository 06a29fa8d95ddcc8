#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <climits>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Folders that a toolkit is installed in, alone or, as /usr/include, with other headers.
class Folders {
 public:
  bool LiesInToolkit(const fs::path& folder) {
    const auto [entry, is_new] = known_.try_emplace(folder.native(), false);
    if (!is_new) return entry->second;
    bool found = Exists(folder / "crt" / "host_defines.h") && Exists(folder / "cuda_runtime_api.h");
    if (!found && folder.has_parent_path() && folder.parent_path() != folder) {
      found = LiesInToolkit(folder.parent_path());
    }
    known_[folder.native()] = found;
    return found;
  }

 private:
  std::map<std::string, bool> known_;
};

// The notice at its begin names the owner of a toolkit's header.
bool HasToolkitsNotice(const fs::path& header) {
  std::array<char, 4096> begin{};
  std::ifstream file(header, std::ios::binary);
  file.read(begin.data(), begin.size());
  return std::string_view(begin.data(), static_cast<std::size_t>(file.gcount())).find("NVIDIA") !=
         std::string_view::npos;
}

bool IsOfToolkit(std::string_view name, Folders& folders) {
  if (name.size() > PATH_MAX) return false;  // no file, so that no path is too deep to walk up
  const fs::path header(name);
  return folders.LiesInToolkit(header.parent_path()) && HasToolkitsNotice(header);
}

// `# 12 "file" 1 3`
struct LineMarker {
  int line = 0;
  std::string_view file;
  bool enters = false;  // an included file begins
};

bool Parse(std::string_view text, LineMarker& marker) {
  if (text.size() < 3 || text[0] != '#' || text[1] != ' ' ||
      !std::isdigit(static_cast<unsigned char>(text[2]))) {
    return false;
  }
  std::from_chars(text.data() + 2, text.data() + text.size(), marker.line);
  const std::size_t open = text.find('"');
  const std::size_t close = text.rfind('"');
  if (open == std::string_view::npos || close == open) return false;
  marker.file = text.substr(open + 1, close - open - 1);
  marker.enters = text.substr(close + 1).find('1') != std::string_view::npos;
  return true;
}

[[noreturn]] void Refuse(std::string_view header, std::string_view file, int line) {
  const Token place{TokenKind::kIdentifier, "", file, line, false, false, "", ""};
  const fs::path path(header);
  throw RewriteError(place,
                     "the CUDA toolkit's header " + path.filename().string() +
                         " is not simulated: " + path.string(),
                     "leave it out; common/cudasim/README.md lists what is simulated");
}

}  // namespace

void RefuseToolkitHeaders(std::string_view source) {
  Folders folders;
  std::string_view file;
  int line = 1;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    LineMarker marker;
    if (Parse(source.substr(begin, end - begin), marker)) {
      if (marker.enters && IsOfToolkit(marker.file, folders)) Refuse(marker.file, file, line);
      file = marker.file;
      line = marker.line;
    } else {
      ++line;
    }
    begin = end + 1;
  }
}

}  // namespace cudasim::rewriter
