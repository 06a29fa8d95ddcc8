#include "grader/sandbox/jail/bwrap_status.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

namespace grader {
namespace {

constexpr char kChild[] = "\"child-pid\":";
constexpr char kExit[] = "\"exit-code\":";

bool ContainsAny(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

bool BwrapStatus::ReadMore() {
  char block[512];
  ssize_t got;
  do {
    got = read(reader_.get(), block, sizeof block);
  } while (got < 0 && errno == EINTR);
  if (got > 0) text_.append(block, static_cast<std::size_t>(got));
  return got > 0;
}

pid_t BwrapStatus::FirstProcess() {
  // The whole line, so that a number is not cut in two.
  while (text_.find('\n') == std::string::npos) {
    if (!ReadMore()) return -1;
  }
  const std::size_t key = text_.find(kChild);
  return key == std::string::npos ? -1 : atoi(text_.c_str() + key + sizeof kChild - 1);
}

bool BwrapStatus::ProgramWasExecuted() {
  while (ReadMore()) {
  }
  return text_.find(kExit) != std::string::npos;
}

std::string ExplainBwrapFailure(const std::string& complaint, const std::string& program) {
  if (ContainsAny(complaint, {"execvp /:"})) {
    return "the jail cannot execute " + program +
           "\n  next: check that it exists in the jail (a bind or, to compile, /usr), is "
           "executable, "
           "and has its interpreter";
  }
  const std::string what = "the jail could not be set up: " + complaint;
  if (ContainsAny(complaint, {"namespace", "uid map", "gid map", "setting up", "RTM_NEWADDR"})) {
    return what +
           "\n  next: allow user namespaces (sysctl user.max_user_namespaces, "
           "kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in "
           "a container --privileged or --security-opt seccomp=unconfined), or accept hostile code "
           "unjailed with --allow-unjailed";
  }
  if (ContainsAny(complaint, {"source path", "No such file"})) {
    return what + "\n  next: check that the path exists and that everybody can enter its folders";
  }
  return what +
         "\n  next: run the same bwrap by hand, or accept hostile code unjailed with "
         "--allow-unjailed";
}

}  // namespace grader
