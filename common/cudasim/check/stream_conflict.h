// Two operations of streams, or a launch and an access, that conflict: what they do, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

constexpr char kWaitFirst[] =
    "nothing waits for it before the host goes on: call cudaStreamSynchronize, "
    "cudaEventSynchronize or cudaDeviceSynchronize";

bool Overlap(const MemoryRange& range, const char* begin, std::size_t bytes);

// The range of the operation that conflicts with an access; null if there is none.
const MemoryRange* FindConflict(const StreamOperation& operation, const char* begin,
                                std::size_t bytes, bool writes);

const char* Does(const MemoryRange& range);     // "reads"
const char* ReadOrWrite(const Access& access);  // "read"

// Where one of two unordered operations is, seen from the other: "in another stream".
const char* WhereIs(const StreamOperation& a, const StreamOperation& b);

// The details, and what would order the two.
std::vector<std::string> WithAdvice(std::vector<std::string> details, const StreamOperation& a,
                                    const StreamOperation& b);

// What would order an access of host code with the operation.  `function`: the host function that
// makes the access; null if a thread of the program does.
const char* HostAdvice(const StreamOperation* function, const StreamOperation& other);

}  // namespace cudasim
