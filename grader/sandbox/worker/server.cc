#include "grader/sandbox/worker/server.h"

#include <dlfcn.h>
#include <string.h>

#include <chrono>
#include <exception>
#include <utility>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/lab/call/access_shares.h"
#include "common/lab/exports/concurrent_callers.h"
#include "common/lab/exports/ranks.h"
#include "common/lab/exports/simulator.h"
#include "common/lab/not_written.h"
#include "grader/sandbox/worker/stacks.h"

namespace grader::worker {
namespace {

using Clock = std::chrono::steady_clock;

lab::Argument::Kind KindOf(wire::ArgumentKind kind) {
  switch (kind) {
    case wire::ArgumentKind::kScalar:
      return lab::Argument::Kind::kScalar;
    case wire::ArgumentKind::kInput:
      return lab::Argument::Kind::kInput;
    case wire::ArgumentKind::kInOut:
      return lab::Argument::Kind::kInOut;
  }
  return lab::Argument::Kind::kScalar;
}

// Sets a pointer to the library's function of that name; null if it has none.
template <typename Function>
void FindIn(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

lab::OpenMpSetter::Functions OpenMpOf(void* library) {
  lab::OpenMpSetter::Functions functions{};
  FindIn(library, "omp_get_max_threads", functions.get_max_threads);
  FindIn(library, "omp_set_num_threads", functions.set_num_threads);
  FindIn(library, "omp_get_max_active_levels", functions.get_max_active_levels);
  FindIn(library, "omp_set_max_active_levels", functions.set_max_active_levels);
  return functions;
}

// Around a call's work, outputs not yet fetched: the simulator's record of who writes them.
void BeginAccount() {
  if (&simulatorBeginCall != nullptr) simulatorBeginCall();
}

void EndAccount(wire::Reply& reply) {
  if (&simulatorEndCall == nullptr) return;
  CudasimCallAccount account{};
  simulatorEndCall(&account);
  reply.output_bytes_from_host = account.output_bytes_from_host;
  reply.unread_inputs = account.unread_inputs;
  wire::SetText(reply, account.copy);
}

void BeginShares(std::span<const lab::Argument> arguments) {
  if (LabBeginShares == nullptr) return;
  std::vector<LabSpan> spans;
  for (const lab::Argument& argument : arguments) {
    if (argument.kind == lab::Argument::Kind::kScalar) continue;
    spans.push_back({argument.data, argument.count * argument.element_size,
                     argument.kind == lab::Argument::Kind::kInOut});
  }
  LabBeginShares(spans.data(), spans.size());
}

void EndShares(wire::Reply& reply) {
  if (LabEndShares != nullptr) reply.shares = LabEndShares();
}

void Fail(wire::Reply& reply, wire::Status status, std::string_view text) {
  reply.status = status;
  wire::SetText(reply, text);
}

}  // namespace

Server::~Server() { Release(); }

bool Server::Run() {
  wire::Request request;
  while (wire::ReadFrame(wire::kRequestFd, &request, sizeof request)) {
    wire::Reply reply{};
    reply.magic = wire::kMagic;
    reply.nonce = request.nonce;
    reply.status = wire::Status::kDone;
    Answer(request, reply);
    if (!wire::WriteFrame(wire::kReplyFd, &reply, sizeof reply)) return false;
    if (request.op == wire::Op::kQuit) return true;
  }
  return false;
}

void Server::Answer(const wire::Request& request, wire::Reply& reply) {
  try {
    switch (request.op) {
      case wire::Op::kHello:
        return;
      case wire::Op::kLoad:
        return Load(reply);
      case wire::Op::kMap:
        return Map(request, reply);
      case wire::Op::kTouch:
        return device_.Touch();
      case wire::Op::kCall:
        return Call(request, reply);
      case wire::Op::kQuit:
        return Release();
    }
    Fail(reply, wire::Status::kUnable, "unknown request");
  } catch (const lab::NotWritten& error) {
    Fail(reply, wire::Status::kNotWritten, error.what());
  } catch (const std::exception& error) {
    Fail(reply, wire::Status::kException, error.what());
  } catch (const char* message) {
    Fail(reply, wire::Status::kException, message);
  }
  // Anything else that is thrown ends the process, as it would end a program. So does pthread_exit
  // on this thread, whose forced unwinding must not be caught.
}

void Server::Load(wire::Reply& reply) {
  void* const library = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Fail(reply, wire::Status::kLoadFailed, dlerror());
  const auto exports = reinterpret_cast<decltype(&LabExports)>(dlsym(library, "LabExports"));
  if (exports == nullptr) return Fail(reply, wire::Status::kLoadFailed, dlerror());
  exports_ = exports();
  ReportStacks(exports_);
  openmp_ = lab::OpenMpSetter(OpenMpOf(library));
}

void Server::Map(const wire::Request& request, wire::Reply& reply) {
  Release();
  if (Find(request) == nullptr) {
    return Fail(reply, wire::Status::kNoSuchFunction, wire::FunctionName(request));
  }
  try {
    spans_.Map(std::span(request.arguments, request.argument_count));
    device_.Open(request.device);
  } catch (const std::exception& error) {
    Fail(reply, wire::Status::kUnable, error.what());
  }
}

void Server::Call(const wire::Request& request, wire::Reply& reply) {
  const lab::ExportedFunction* const function = Find(request);
  const std::vector<lab::Argument> arguments = Arguments(request);
  const Clock::time_point start = Clock::now();
  void* const staged = function->stage(arguments);
  reply.stage_nanoseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
  staged_function_ = function;
  staged_ = staged;
  const auto prepare = [&] {
    openmp_.Apply(static_cast<int>(request.team_size), request.nested != 0);
  };
  prepare();
  if (request.failing_call > 0 && lab::Runtime().CanFail()) {
    return CallWithFailure(*function, staged, request.failing_call, reply);
  }
  profile_.Begin();
  BeginAccount();
  BeginShares(arguments);
  if (&labBeginRanks != nullptr) {
    labBeginRanks(request.ranks, request.strict, arguments.data(), arguments.size());
  }
  lab::RunConcurrently(*function, arguments, request.others, prepare, staged, reply.result,
                       lab::CallersOfSimulator());
  if (&labEndRanks != nullptr) labEndRanks();
  EndShares(reply);
  EndAccount(reply);
  function->fetch(staged);
  device_.Wait();
  profile_.End();
}

void Server::CallWithFailure(const lab::ExportedFunction& function, void* staged,
                             std::uint64_t number, wire::Reply& reply) const {
  const lab::FailingCallReport report = lab::Runtime().Run(function, staged, reply.result, number);
  reply.can_fail_calls = 1;
  reply.threw = report.threw ? 1 : 0;
  reply.device_failed = report.device_failed ? 1 : 0;
  reply.runtime_calls = report.runtime_calls;
  reply.objects_left = report.objects_left;
  wire::SetText(reply, report.failed_call);
}

const lab::ExportedFunction* Server::Find(const wire::Request& request) const {
  if (exports_ == nullptr || request.argument_count > wire::kMaxArguments) return nullptr;
  for (const lab::ExportedFunction& function : std::span(exports_->functions, exports_->count)) {
    if (wire::FunctionName(request) == function.name && request.signature == function.signature &&
        request.argument_count == function.argument_count &&
        request.result_size == function.result_size) {
      return &function;
    }
  }
  return nullptr;
}

std::vector<lab::Argument> Server::Arguments(const wire::Request& request) const {
  std::vector<lab::Argument> arguments;
  arguments.reserve(request.argument_count);
  for (std::size_t i = 0; i < request.argument_count; ++i) {
    const wire::Argument& argument = request.arguments[i];
    void* data = spans_.Data(i);
    if (argument.kind == wire::ArgumentKind::kScalar) {
      data = const_cast<std::byte*>(request.scalars) + argument.offset;
    } else if (argument.on_device != 0) {
      data = device_.At(argument.offset);
    }
    arguments.push_back({KindOf(argument.kind), argument.element_size, argument.alignment, data,
                         static_cast<std::size_t>(argument.count), argument.on_device != 0,
                         argument.on_device != 0});
  }
  return arguments;
}

void Server::Release() {
  if (staged_function_ != nullptr) std::exchange(staged_function_, nullptr)->release(staged_);
}

}  // namespace grader::worker
