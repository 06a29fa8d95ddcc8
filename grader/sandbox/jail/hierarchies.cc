#include "grader/sandbox/jail/hierarchies.h"

#include <unistd.h>

#include <sstream>

#include "grader/sandbox/jail/files.h"

namespace grader {
namespace {

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> fields;
  std::string field;
  std::istringstream stream{std::string(text)};
  while (std::getline(stream, field, separator)) fields.push_back(field);
  return fields;
}

bool Contains(const std::vector<std::string>& items, std::string_view item) {
  for (const std::string& candidate : items) {
    if (candidate == item) return true;
  }
  return false;
}

// One line of mountinfo: id parent device root mount_point options ... - type source options.
struct Mount {
  std::string root, mount_point, type;
  std::vector<std::string> options;
};

std::optional<Mount> ParseMount(std::string_view line) {
  const std::size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> left = Split(line.substr(0, dash), ' ');
  const std::vector<std::string> right = Split(line.substr(dash + 3), ' ');
  if (left.size() < 5 || right.size() < 3) return std::nullopt;
  return Mount{left[3], left[4], right[0], Split(right[2], ',')};
}

// Our path in the hierarchy of this controller ("" for version 2): id:controllers:path.
std::optional<std::string> OwnPath(std::string_view cgroup, std::string_view controller) {
  for (const std::string& line : Split(cgroup, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool match = controller.empty() ? controllers.empty() && line.starts_with("0:")
                                          : Contains(Split(controllers, ','), controller);
    if (match) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<Hierarchy> Locate(const Mount& mount, const std::optional<std::string>& own_path) {
  if (!own_path || own_path->starts_with("/..")) return std::nullopt;  // outside what we can see
  const std::string root = mount.root == "/" ? "" : mount.root;
  if (!own_path->starts_with(root)) return std::nullopt;
  std::string below = own_path->substr(root.size());
  if (!below.empty() && below[0] != '/') return std::nullopt;  // root "/a", path "/ab"
  if (below == "/") below.clear();
  return Hierarchy{mount.mount_point, mount.mount_point + below};
}

bool GivesChildrenLimits(const std::string& folder) {
  const auto text = ReadFile(folder + "/cgroup.subtree_control");
  if (!text) return false;
  const std::vector<std::string> controllers = Split(text->substr(0, text->find('\n')), ' ');
  return Contains(controllers, "memory") && Contains(controllers, "pids");
}

}  // namespace

Hierarchies ParseHierarchies(std::string_view mountinfo, std::string_view cgroup) {
  Hierarchies found;
  for (const std::string& line : Split(mountinfo, '\n')) {
    const std::optional<Mount> mount = ParseMount(line);
    if (!mount) continue;
    if (mount->type == "cgroup2" && !found.v2) found.v2 = Locate(*mount, OwnPath(cgroup, ""));
    if (mount->type != "cgroup") continue;
    if (Contains(mount->options, "cpu") && !found.v1_cpu) {
      found.v1_cpu = Locate(*mount, OwnPath(cgroup, "cpu"));
    }
    if (Contains(mount->options, "memory") && !found.v1_memory) {
      found.v1_memory = Locate(*mount, OwnPath(cgroup, "memory"));
    }
    if (Contains(mount->options, "pids") && !found.v1_pids) {
      found.v1_pids = Locate(*mount, OwnPath(cgroup, "pids"));
    }
  }
  return found;
}

const Hierarchies& OwnHierarchies() {
  static const Hierarchies own = ParseHierarchies(ReadFile("/proc/self/mountinfo").value_or(""),
                                                  ReadFile("/proc/self/cgroup").value_or(""));
  return own;
}

std::vector<std::string> ParentsForV2(const Hierarchy& hierarchy) {
  const std::string& own = hierarchy.own_folder;
  std::vector<std::string> parents;
  if (!GivesChildrenLimits(own)) {
    // Refused (EBUSY) where processes live in the folder, our own among them, unless it is the
    // root.
    WriteControlFile(own + "/cgroup.subtree_control", "+memory +pids");
  }
  std::string folder = own;
  while (folder.size() >= hierarchy.mount_point.size()) {
    if (GivesChildrenLimits(folder) && access(folder.c_str(), W_OK) == 0) parents.push_back(folder);
    folder.resize(folder.rfind('/'));
  }
  if (parents.empty() || parents.front() != own) parents.push_back(own);
  return parents;
}

}  // namespace grader
