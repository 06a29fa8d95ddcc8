// Limits of the modelled GPU, an H100, that the API's headers and the runtime share.
#pragma once

namespace cudasim {

constexpr unsigned kMaxThreads = 1024;  // per block, also its x and y
constexpr unsigned kMultiprocessors = 132;

}  // namespace cudasim
