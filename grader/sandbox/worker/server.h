#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/lab/exports/exports.h"
#include "common/lab/race_checker/openmp_setter.h"
#include "grader/sandbox/wire/wire.h"
#include "grader/sandbox/worker/device.h"
#include "grader/sandbox/worker/profile.h"
#include "grader/sandbox/worker/spans.h"

namespace grader::worker {

// Answers the checker's requests with the functions of one library. Not thread-safe; the library
// may start threads of its own.
class Server {
 public:
  explicit Server(std::string library) : library_(std::move(library)) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  // Serves until asked to quit (true) or until the checker is gone (false).
  bool Run();

 private:
  void Answer(const wire::Request& request, wire::Reply& reply);
  void Load(wire::Reply& reply);
  void Map(const wire::Request& request, wire::Reply& reply);
  void Call(const wire::Request& request, wire::Reply& reply);
  void CallWithFailure(const lab::ExportedFunction& function, void* staged, std::uint64_t number,
                       wire::Reply& reply) const;
  const lab::ExportedFunction* Find(const wire::Request& request) const;
  std::vector<lab::Argument> Arguments(const wire::Request& request) const;
  void Release();

  std::string library_;
  const lab::ExportTable* exports_ = nullptr;
  Profile profile_;
  lab::OpenMpSetter openmp_{{}};
  SpanMap spans_;
  Device device_;
  // The call whose staged arguments are still there: freeing them is not part of a timed call.
  const lab::ExportedFunction* staged_function_ = nullptr;
  void* staged_ = nullptr;
};

}  // namespace grader::worker
