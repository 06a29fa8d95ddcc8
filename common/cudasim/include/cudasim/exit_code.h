// How a program ends in which the simulator found something, unless CUDASIM_CONTINUE is set.
#pragma once

namespace cudasim {

constexpr int kFindingExitCode = 67;

}  // namespace cudasim
