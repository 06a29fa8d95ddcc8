// The protocol between the trusted checker and the untrusted worker.
//
// Two pipes carry frames of a fixed size, one reply per request; two shared memory files (arenas)
// carry the contents of spans. A frame is never larger than PIPE_BUF, so that it arrives whole.
// Every request holds a fresh nonce, and a reply that doesn't repeat it is a forgery.
//
// Both ends run on the same machine and are built from this header, so plain structs will do.
#pragma once

#include <limits.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "common/lab/call/access_shares.h"

namespace grader::wire {

// File descriptors as the worker finds them.
inline constexpr int kInputArenaFd = 10;   // sealed: the worker can read it only
inline constexpr int kOutputArenaFd = 11;  // the worker can write it, but not resize it
inline constexpr int kRequestFd = 12;
inline constexpr int kReplyFd = 13;
inline constexpr int kProfileFd = 14;   // the CUDA simulator's counters
inline constexpr int kFindingsFd = 15;  // its findings
inline constexpr int kFilterFd = 16;    // the system calls of a rank, which installs it
// The arenas of rank 1, then those of rank 2, and so on: each rank closes those of the others.
inline constexpr int kFirstRankFd = 17;

inline constexpr std::uint64_t kMagic = 0x31656972'77626c72;
inline constexpr std::size_t kMaxArguments = 64;
inline constexpr int kMaxRanks = 16;  // of a message-passing program, at most
inline constexpr std::size_t kMaxScalarBytes = 512;
inline constexpr std::size_t kMaxResultBytes = 512;
inline constexpr std::size_t kMaxNameBytes = 128;
inline constexpr std::size_t kMaxTextBytes = 1024;
inline constexpr std::size_t kScalarAlignment = 16;
inline constexpr std::size_t kMaxFrames = 16;
inline constexpr std::size_t kMemoryHandleBytes = 64;
inline constexpr unsigned char kDeviceCanary = 0xC7;

// The thread that receives it replies with kStack. A real-time signal, as no lab uses those.
inline constexpr int kStackSignal = 59;

enum class Op : std::uint32_t {
  kHello = 1,  // are you there? (no student code has run yet)
  kLoad,       // load the library: its static initialisers run
  kMap,        // map the spans of the next call; their contents are not there yet
  kTouch,      // rewrite the first byte of the mapped device memory, a canary
  kCall,       // stage, run and fetch
  kQuit,       // end with exit code 0
};

enum class Status : std::uint32_t {
  kDone = 1,
  kLoadFailed,      // text: the loader's message
  kNoSuchFunction,  // the library doesn't export it, or with another signature
  kNotWritten,      // text: the stub's message
  kException,       // text: what()
  kFault,           // a signal; may come at any time, with any nonce, and the worker dies of it
  kUnable,          // the worker can't do what it is asked to, e.g. mmap failed; text says why
  kStack,           // from a thread that got kStackSignal, or that a signal ends, behind its
                    // kFault: result holds its Stack; text: the
                    // linker name of the function outside the library that it is in; "?" if that
                    // has no name, and empty if there is none
};

enum class ArgumentKind : std::uint32_t { kScalar, kInput, kInOut };

// One argument of a call.
struct Argument {
  ArgumentKind kind;
  std::uint32_t element_size;
  std::uint32_t alignment;
  std::uint32_t on_device;  // 1: it lies in Request::device
  std::int32_t rank;        // who gets it; lab::Argument::kEveryRank: all
  // kScalar: offset into Request::scalars. On the device: offset of the first element in its
  // memory. Else: offset of the first element in the arena of its kind; the last element ends on a
  // page boundary.
  std::uint64_t offset;
  std::uint64_t count;  // elements
};

inline std::uint64_t BytesOf(const Argument& argument) {
  return argument.count * argument.element_size;
}

// Memory of a GPU that belongs to the checker. It begins with a canary. Handles of one block are
// equal.
struct DeviceMemory {
  std::byte handle[kMemoryHandleBytes];
  std::uint64_t bytes;  // 0: there is none
};

struct Request {
  std::uint64_t magic;
  std::uint64_t nonce;
  Op op;
  std::uint32_t argument_count;
  std::uint32_t result_size;
  std::uint32_t team_size;     // of OpenMP's regions; 0: the library chooses
  std::uint32_t others;        // threads that make the same call at the same time
  std::uint32_t nested;        // 1: OpenMP's regions get one thread
  std::uint32_t ranks;         // of a message-passing program that make the call
  std::uint32_t strict;        // 1: its sends return only when their messages are received
  std::uint64_t failing_call;  // the runtime call that the simulator fails, from 1; 0: none
  std::uint64_t signature;
  DeviceMemory device;
  char function[kMaxNameBytes];  // ends in NUL
  Argument arguments[kMaxArguments];
  alignas(kScalarAlignment) std::byte scalars[kMaxScalarBytes];
};

// What a kFault reply may say of its cause.
inline constexpr std::string_view kNullPointer = "a null pointer was used";
inline constexpr std::string_view kNoAddress =
    "a vector access at a misaligned address, or a pointer that was never set";
inline constexpr std::string_view kStackOverflow =
    "the stack overflowed: endless recursion, or large local arrays";

enum class Access : std::uint32_t { kUnknown, kRead, kWrite };

// Where a fault happened, if near a span.
struct Fault {
  std::int32_t signal;
  std::int32_t argument;     // index, or -1: not near any span
  std::int64_t byte_offset;  // of the access from the span's first byte
  Access access;
  std::uint32_t reserved;
};

// A thread's frames that lie in the library, the innermost first.
struct Stack {
  std::uint64_t count;
  std::uint64_t offsets[kMaxFrames];  // of an instruction from the library's first byte
};

struct Reply {
  std::uint64_t magic;
  std::uint64_t nonce;
  Status status;
  std::uint32_t text_size;
  Fault fault;
  std::uint64_t stage_nanoseconds;  // of copying to the device; only the reference's is used
  // Of a call on the instrumented simulator: bytes of an output that the host wrote last (text: by
  // which copy), and inputs that nothing read.
  std::uint64_t output_bytes_from_host;
  std::uint64_t unread_inputs;
  LabShares shares;  // of a call of a library whose accesses are counted
  // With failing_call > 0, on the simulator: lab::FailingCallReport (text: its failed_call).
  std::uint32_t can_fail_calls;  // 1: the simulator is there
  std::uint32_t threw;           // 1: the function did
  std::uint64_t device_failed;   // 1: it did
  std::uint64_t runtime_calls;
  std::uint64_t objects_left;
  alignas(kScalarAlignment) std::byte result[kMaxResultBytes];
  char text[kMaxTextBytes];
};

static_assert(std::is_trivially_copyable_v<Request> && sizeof(Request) <= PIPE_BUF);
static_assert(sizeof(Stack) <= kMaxResultBytes);
static_assert(std::is_trivially_copyable_v<Reply> && sizeof(Reply) <= PIPE_BUF);

// Copies `text` into the reply, cut to kMaxTextBytes. Async-signal-safe.
void SetText(Reply& reply, std::string_view text);

// The reply's text; safe whatever the other side wrote there.
std::string_view Text(const Reply& reply);

// Copies `name` into the request; false if it is too long.
bool SetFunction(Request& request, std::string_view name);

// The request's function name; safe whatever the other side wrote there.
std::string_view FunctionName(const Request& request);

// Writes one whole frame; false when the other end is gone. Async-signal-safe.
bool WriteFrame(int fd, const void* frame, std::size_t size);

// Reads one whole frame, blocking; false at the end of the stream or on an error.
bool ReadFrame(int fd, void* frame, std::size_t size);

}  // namespace grader::wire
