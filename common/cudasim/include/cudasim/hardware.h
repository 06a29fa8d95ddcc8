// What the host's part of the API and the runtime both know of the GPU that is modelled, an H100.
#pragma once

namespace cudasim {

constexpr unsigned kMaxThreads = 1024;  // per block, also its x and y
constexpr unsigned kMultiprocessors = 132;

}  // namespace cudasim
