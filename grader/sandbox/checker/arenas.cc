#include "grader/sandbox/checker/arenas.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "grader/sandbox/checker/failure.h"
#include "grader/sandbox/checker/shared_file.h"

namespace grader::checker {
namespace {

// Address space and file size, not memory.
constexpr std::uint64_t kCapacity = std::uint64_t{4} << 30;
constexpr std::byte kHostCanary{0xC7};

[[noreturn]] void RefuseCall(const lab::Call& call, const std::string& why) {
  throw Failure(Verdict::kJudgeError, std::string(call.function) + " cannot be called: " + why);
}

std::uint64_t PageSize() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

wire::ArgumentKind KindOf(lab::Argument::Kind kind) {
  switch (kind) {
    case lab::Argument::Kind::kScalar:
      return wire::ArgumentKind::kScalar;
    case lab::Argument::Kind::kInput:
      return wire::ArgumentKind::kInput;
    case lab::Argument::Kind::kInOut:
      return wire::ArgumentKind::kInOut;
  }
  return wire::ArgumentKind::kScalar;
}

// The rank that gets the argument; the first where all do.
std::size_t FirstRankOf(const wire::Argument& argument) {
  return static_cast<std::size_t>(std::max(argument.rank, 0));
}

// Whether it has bytes in one of the arenas of this file.
bool IsHere(const wire::Argument& argument) {
  return argument.kind != wire::ArgumentKind::kScalar && argument.on_device == 0 &&
         BytesOf(argument) > 0;
}

}  // namespace

Arena::Arena(Kind kind)
    : file_(memfd_create(kind == Kind::kInput ? "inputs" : "outputs",
                         MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!file_.valid()) ThrowErrno("memfd_create");
  // Who does not get the descriptor shall not open the file by another process's in /proc.
  if (fchmod(fd(), 0) != 0) ThrowErrno("fchmod of an arena");
  if (ftruncate(fd(), static_cast<off_t>(kCapacity)) != 0) ThrowErrno("ftruncate of an arena");
  void* const mapped =
      mmap(nullptr, kCapacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd(), 0);
  if (mapped == MAP_FAILED) ThrowErrno("mmap of an arena");
  data_ = static_cast<std::byte*>(mapped);
  // Seals after our own mapping, which stays writable; later ones of an input cannot be writable.
  const int seals =
      F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (kind == Kind::kInput ? F_SEAL_FUTURE_WRITE : 0);
  if (fcntl(fd(), F_ADD_SEALS, seals) != 0) {
    const int error = errno;
    munmap(data_, kCapacity);
    errno = error;
    ThrowErrno("sealing an arena");
  }
}

Arena::~Arena() { munmap(data_, kCapacity); }

std::uint64_t Arena::Place(std::size_t bytes) {
  const std::uint64_t page = PageSize();
  const std::uint64_t pages = (bytes + page - 1) / page * page;
  if (pages > kCapacity - used_) {
    throw Failure(Verdict::kJudgeError, "the arguments of one call are too large: limit " +
                                            std::to_string(kCapacity >> 20) + " MiB");
  }
  if (pages > 0 && fallocate(fd(), 0, static_cast<off_t>(used_), static_cast<off_t>(pages)) != 0) {
    throw Failure(Verdict::kJudgeError,
                  std::string("no memory for the arguments of a call: ") + strerror(errno));
  }
  used_ += pages;
  return used_ - bytes;
}

Arenas::Arenas(bool gpu, int ranks) : pairs_(static_cast<std::size_t>(ranks)), page_(PageSize()) {
  if (gpu) device_.emplace();
}

void Arenas::Lay(const lab::Call& call, wire::Request& request) {
  if (call.arguments.size() > wire::kMaxArguments) RefuseCall(call, "too many arguments");
  if (call.result_size > wire::kMaxResultBytes) RefuseCall(call, "its result is too large");
  if (!wire::SetFunction(request, call.function)) RefuseCall(call, "its name is too long");
  request.signature = call.signature;
  request.result_size = static_cast<std::uint32_t>(call.result_size);
  request.argument_count = static_cast<std::uint32_t>(call.arguments.size());
  request.ranks = static_cast<std::uint32_t>(lab::RanksOf(call.arguments));
  if (request.ranks > pairs_.size()) RefuseCall(call, "too many ranks");
  for (ArenaPair& pair : pairs_) pair.input.Clear(), pair.output.Clear();
  std::size_t scalar_bytes = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const lab::Argument& from = call.arguments[i];
    wire::Argument& to = request.arguments[i];
    const bool on_device = device_.has_value() && from.device_span;
    to = {KindOf(from.kind), from.element_size, from.alignment, on_device, from.rank, 0,
          from.count};
    if (on_device) continue;
    if (from.kind != lab::Argument::Kind::kScalar) {
      if (to.kind == wire::ArgumentKind::kInOut && to.rank == lab::Argument::kEveryRank &&
          request.ranks > 1) {
        RefuseCall(call, "all ranks would write one output: make it a LocalSpan");
      }
      to.offset = Place(to);
      continue;
    }
    if (BytesOf(to) > wire::kMaxScalarBytes - scalar_bytes)
      RefuseCall(call, "its scalars are large");
    to.offset = scalar_bytes;
    memcpy(request.scalars + scalar_bytes, from.data, BytesOf(to));
    scalar_bytes += (BytesOf(to) + wire::kScalarAlignment - 1) / wire::kScalarAlignment *
                    wire::kScalarAlignment;
    scalar_bytes = std::min(scalar_bytes, wire::kMaxScalarBytes);
  }
  if (device_) device_->Lay(call, request);
}

void Arenas::Fill(const lab::Call& call, const wire::Request& request) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const wire::Argument& argument = request.arguments[i];
    if (!IsHere(argument)) continue;
    const std::size_t canary = CanaryBytes(argument);
    const std::size_t first = FirstRankOf(argument);
    const std::size_t last = argument.rank < 0 ? pairs_.size() : first + 1;
    for (std::size_t rank = first; rank < last; ++rank) {
      std::byte* const data = At(argument, rank);
      memset(data - canary, static_cast<int>(kHostCanary), canary);
      memcpy(data, call.arguments[i].data, BytesOf(argument));
    }
  }
  if (device_) device_->Fill(call, request);
}

void Arenas::WarmUp() {
  if (device_) device_->WarmUp();
}

void Arenas::Snapshot() {
  if (device_) device_->Snapshot();
}

std::optional<Damage> Arenas::Damaged(const wire::Request& request) {
  for (std::size_t i = 0; i < request.argument_count; ++i) {
    const wire::Argument& argument = request.arguments[i];
    if (argument.kind != wire::ArgumentKind::kInOut || !IsHere(argument)) continue;
    const std::byte* const data = At(argument, FirstRankOf(argument));
    const bool whole = std::all_of(data - CanaryBytes(argument), data,
                                   [](std::byte byte) { return byte == kHostCanary; });
    if (!whole) return Damage{i, true};
  }
  if (!device_) return std::nullopt;
  return device_->Damaged(request);
}

void Arenas::CopyOut(const lab::Call& call, const wire::Request& request) const {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const wire::Argument& argument = request.arguments[i];
    if (argument.kind != wire::ArgumentKind::kInOut || !IsHere(argument)) continue;
    memcpy(call.arguments[i].data, At(argument, FirstRankOf(argument)), BytesOf(argument));
  }
  if (device_) device_->CopyOut(call, request);
}

std::uint64_t Arenas::Place(const wire::Argument& argument) {
  const std::size_t bytes = BytesOf(argument);
  if (argument.rank >= 0) {
    return pairs_[static_cast<std::size_t>(argument.rank)].Of(argument.kind).Place(bytes);
  }
  std::uint64_t used = 0;
  for (ArenaPair& pair : pairs_) used = std::max(used, pair.Of(argument.kind).used());
  std::uint64_t offset = 0;
  for (ArenaPair& pair : pairs_) {
    pair.Of(argument.kind).SkipTo(used);
    offset = pair.Of(argument.kind).Place(bytes);
  }
  return offset;
}

std::byte* Arenas::At(const wire::Argument& argument, std::size_t rank) const {
  return pairs_[rank].Of(argument.kind).data() + argument.offset;
}

std::size_t Arenas::CanaryBytes(const wire::Argument& argument) const {
  return static_cast<std::size_t>(argument.offset % page_);
}

}  // namespace grader::checker
