// The exit status of a program in which check mode found something.
#pragma once

namespace cudasim {

constexpr int kFindingExitCode = 67;

}  // namespace cudasim
