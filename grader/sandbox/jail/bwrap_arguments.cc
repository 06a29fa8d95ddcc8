#include "grader/sandbox/jail/bwrap_arguments.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <initializer_list>
#include <sstream>

#include "grader/sandbox/jail/files.h"

namespace grader {
namespace {

class Arguments {
 public:
  void Add(std::initializer_list<std::string> words) {
    words_.insert(words_.end(), words.begin(), words.end());
  }
  std::vector<std::string> Take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

// Recreates a folder such as /lib or /bin as on this machine: a link into /usr, or a folder.
void AddTopFolder(const std::string& path, Arguments& arguments) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  struct stat info;
  if (length > 0) {
    arguments.Add({"--symlink", std::string(target, static_cast<std::size_t>(length)), path});
  } else if (stat(path.c_str(), &info) == 0) {
    arguments.Add({"--ro-bind", path, path});
  }
}

void AddSystem(const JailSpec& spec, Arguments& arguments) {
  if (spec.compiles) {
    arguments.Add({"--ro-bind", "/usr", "/usr"});
    for (const char* folder : {"/bin", "/sbin"}) AddTopFolder(folder, arguments);
    arguments.Add({"--ro-bind-try", "/etc/alternatives", "/etc/alternatives"});
  } else {
    for (const char* folder : {"/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/libx32"}) {
      arguments.Add({"--ro-bind-try", folder, folder});
    }
  }
  for (const char* folder : {"/lib", "/lib64", "/lib32", "/libx32"}) {
    AddTopFolder(folder, arguments);
  }
  arguments.Add({"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"});
}

void AddTmpfs(const std::string& target, long megabytes, const Bwrap& bwrap, Arguments& arguments) {
  if (bwrap.sizes_tmpfs) arguments.Add({"--size", std::to_string(megabytes << 20)});
  arguments.Add({"--tmpfs", target});
}

void AddFileSystems(const JailSpec& spec, const Bwrap& bwrap, Arguments& arguments) {
  // Compilers need no /proc, and could quote what it tells about this machine.
  if (!spec.compiles && ProcIsMasked()) {
    arguments.Add({"--ro-bind", "/proc", "/proc"});
  } else if (!spec.compiles) {
    arguments.Add({"--proc", "/proc"});
    // The jail's first process has the program's user id and reports the exit status to
    // bubblewrap: the program must not reach its memory and descriptors.
    arguments.Add({"--tmpfs", "/proc/1", "--remount-ro", "/proc/1"});
  }
  arguments.Add({"--dev", "/dev"});
  AddTmpfs("/dev/shm", spec.tmp_mb, bwrap, arguments);
  for (const std::string& device : spec.devices) arguments.Add({"--dev-bind", device, device});
  arguments.Add({"--remount-ro", "/dev"});
  AddTmpfs("/tmp", spec.tmp_mb, bwrap, arguments);
  for (const Bind& bind : spec.binds) {
    arguments.Add({bind.writable ? "--bind" : "--ro-bind", bind.source, bind.target});
  }
  arguments.Add({"--remount-ro", "/", "--chdir", "/tmp"});
}

void AddIsolation(const Bwrap& bwrap, const BwrapDescriptors& descriptors, Arguments& arguments) {
  arguments.Add({"--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--hostname",
                 "jail", "--new-session", "--cap-drop", "ALL", "--die-with-parent"});
  if (bwrap.disables_user_namespaces) arguments.Add({"--disable-userns"});
  arguments.Add({"--seccomp", std::to_string(descriptors.filter)});
  arguments.Add({"--json-status-fd", std::to_string(descriptors.status)});
  arguments.Add({"--block-fd", std::to_string(descriptors.block)});
}

std::optional<Bwrap> LookForBwrap() {
  std::vector<std::string> folders = {"/usr/bin", "/usr/local/bin", "/bin"};
  const char* path = getenv("PATH");
  std::istringstream stream(path == nullptr ? "" : path);
  for (std::string folder; std::getline(stream, folder, ':');) folders.push_back(folder);
  for (const std::string& folder : folders) {
    const std::string candidate = folder + "/bwrap";
    if (!folder.starts_with('/') || access(candidate.c_str(), X_OK) != 0) continue;
    struct stat info {};
    stat(candidate.c_str(), &info);
    // Searches the binary for the options: running it would cost a process for each jail.
    const std::string text = ReadFile(candidate).value_or("");
    Bwrap bwrap;
    bwrap.path = candidate;
    bwrap.is_set_user_id = (info.st_mode & S_ISUID) != 0;
    bwrap.sizes_tmpfs = text.find("--size must be followed") != std::string::npos;
    bwrap.disables_user_namespaces = text.find("--disable-userns") != std::string::npos;
    return bwrap;
  }
  return std::nullopt;
}

}  // namespace

const std::optional<Bwrap>& FindBwrap() {
  static const std::optional<Bwrap> found = LookForBwrap();
  return found;
}

bool ProcIsMasked() {
  static const bool masked = [] {
    std::istringstream mounts(ReadFile("/proc/self/mountinfo").value_or(""));
    for (std::string line; std::getline(mounts, line);) {
      std::istringstream fields(line);
      std::string id, parent, device, root, point;
      fields >> id >> parent >> device >> root >> point;
      // The kernel permits this one: it is mounted on a folder that is always empty.
      if (point.starts_with("/proc/") && point != "/proc/sys/fs/binfmt_misc") return true;
    }
    return false;
  }();
  return masked;
}

std::vector<std::string> BwrapArguments(const JailSpec& spec, const Bwrap& bwrap,
                                        const BwrapDescriptors& descriptors) {
  Arguments arguments;
  AddSystem(spec, arguments);
  AddFileSystems(spec, bwrap, arguments);
  AddIsolation(bwrap, descriptors, arguments);
  arguments.Add({"--clearenv", "--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/tmp"});
  for (const auto& [name, value] : spec.env) arguments.Add({"--setenv", name, value});
  return arguments.Take();
}

}  // namespace grader
