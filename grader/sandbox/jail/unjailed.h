#pragma once

#include <string>
#include <vector>

#include "grader/sandbox/jail/spec.h"

namespace grader {

// The text with each path below a bind's target replaced by the path below its source: what a word
// of a command line means outside the jail. A target counts where a path may begin (at the start,
// after one of "=,:@" or an option letter as in -I/kit) and where it ends or a '/' follows.
std::string PathsOutside(const std::string& word, const std::vector<Bind>& binds);

// The specification with the paths in arguments and environment as they are outside the jail.
JailSpec SpecOutside(JailSpec spec);

}  // namespace grader
