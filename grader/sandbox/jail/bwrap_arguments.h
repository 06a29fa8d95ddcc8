#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/sandbox/jail/spec.h"

namespace grader {

// What the bubblewrap on this machine can do.
struct Bwrap {
  std::string path;
  bool sizes_tmpfs = false;  // --size, from 0.7
  bool is_set_user_id = false;
  bool disables_user_namespaces = false;  // --disable-userns, from 0.8
};

// Looks for bubblewrap in the usual folders and PATH; nullopt when there is none. Read once.
// Thread-safe.
const std::optional<Bwrap>& FindBwrap();

// True where something is mounted over parts of /proc, as in most containers: the kernel then
// refuses a fresh /proc in a user namespace. Read once. Thread-safe.
bool ProcIsMasked();

struct BwrapDescriptors {
  int filter = -1;  // the system call filter
  int status = -1;  // bubblewrap writes JSON here
  int block = -1;   // bubblewrap waits for a byte here before it starts the program
};

// The options that make the jail, without the program and its arguments.
std::vector<std::string> BwrapArguments(const JailSpec& spec, const Bwrap& bwrap,
                                        const BwrapDescriptors& descriptors);

}  // namespace grader
