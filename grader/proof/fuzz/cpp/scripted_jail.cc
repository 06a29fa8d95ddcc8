#include "grader/proof/fuzz/cpp/scripted_jail.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "grader/sandbox/jail/descriptor.h"
#include "grader/sandbox/jail/jail.h"
#include "grader/sandbox/wire/wire.h"

namespace grader {
namespace {

fuzz::Script* the_script = nullptr;
bool the_worker_rests = false;

}  // namespace

void fuzz::SetScript(Script* script, bool rests) {
  the_script = script;
  the_worker_rests = rests;
}

class Jail::State {
 public:
  explicit State(const JailSpec& spec)
      : ended_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        requests_(Copy(spec, wire::kRequestFd)),
        replies_(Copy(spec, wire::kReplyFd)),
        stdout_(Copy(spec, STDOUT_FILENO)),
        stderr_(Copy(spec, STDERR_FILENO)),
        outputs_(Copy(spec, wire::kOutputArenaFd)),
        profile_(Copy(spec, wire::kProfileFd)),
        findings_(Copy(spec, wire::kFindingsFd)) {}

  int ended() const { return ended_.get(); }
  const std::optional<ExitStatus>& status() const { return status_; }
  bool out_of_memory() const { return out_of_memory_; }
  bool pids_exceeded() const { return pids_exceeded_; }

  // Does something that ends the checker's wait, or nothing, so that it waits until its deadline.
  void Step() {
    wire::Request request;
    while (read(requests_.get(), &request, sizeof request) == sizeof request) latest_ = request;
    if (latest_.op == wire::Op::kHello) return Answer();
    while (!status_ && !the_script->IsOver()) {
      if (TakeStep()) return;
    }
    if (!status_) End({});
  }

  int SignalThreads(int most) {
    may_rest_ = false;
    return std::min<int>(most, the_script->Byte());
  }

 private:
  static Descriptor Copy(const JailSpec& spec, int number) {
    const auto found = std::find_if(spec.fds.begin(), spec.fds.end(),
                                    [number](const auto& entry) { return entry.second == number; });
    if (found == spec.fds.end()) return Descriptor();
    Descriptor copy(dup(found->first));
    fcntl(copy.get(), F_SETFL, O_NONBLOCK);
    return copy;
  }

  // Returns whether the checker has something to read.
  bool TakeStep() {
    switch (the_script->Byte() % 12) {
      case 0:
        return Answer(), replies_.valid();
      case 1:
        return Reply(), replies_.valid();
      case 2:
        return Write(replies_, the_script->Bytes(the_script->Number<std::uint16_t>() % 4096));
      case 3:
        Write(stderr_, the_script->Bytes(the_script->Byte()));
        return false;
      case 4:
        Write(stdout_, std::vector<std::uint8_t>(64 * the_script->Byte()));
        return false;
      case 5:
        return End({the_script->Byte(), the_script->Byte() % 65}), true;
      case 6:
        Scribble(outputs_);
        return false;
      case 7:
        Scribble(profile_);
        return false;
      case 8:
        may_rest_ = false;
        return Close(replies_);
      case 9:
        out_of_memory_ = the_script->Byte() % 2 == 1;
        pids_exceeded_ = the_script->Byte() % 2 == 1;
        return false;
      case 10:
        Scribble(findings_);
        return false;
      default:
        return std::exchange(may_rest_, false);
    }
  }

  void Answer() {
    wire::Reply reply{};
    reply.magic = wire::kMagic;
    reply.nonce = latest_.nonce;
    reply.status = wire::Status::kDone;
    wire::WriteFrame(replies_.get(), &reply, sizeof reply);
    latest_.op = wire::Op::kQuit;
  }

  // A frame with the script's fields and the nonce of the latest request.
  void Reply() {
    wire::Reply reply{};
    reply.magic = wire::kMagic;
    reply.nonce = latest_.nonce;
    reply.status = static_cast<wire::Status>(the_script->Byte() % 10);
    reply.text_size = the_script->Number<std::uint32_t>();
    reply.fault = the_script->Number<wire::Fault>();
    reply.output_bytes_from_host = the_script->Number<std::uint64_t>();
    reply.stage_nanoseconds = the_script->Number<std::uint64_t>();
    reply.unread_inputs = the_script->Byte();
    const auto result = the_script->Bytes(the_script->Byte());
    memcpy(reply.result, result.data(), result.size());
    const auto text = the_script->Bytes(the_script->Byte());
    memcpy(reply.text, text.data(), text.size());
    wire::WriteFrame(replies_.get(), &reply, sizeof reply);
  }

  static bool Close(Descriptor& end) {
    const bool was_open = end.valid();
    end.Close();
    return was_open;
  }

  static bool Write(const Descriptor& to, std::span<const std::uint8_t> bytes) {
    return to.valid() && write(to.get(), bytes.data(), bytes.size()) > 0;
  }

  // Writes within the first MiB.
  static void Scribble(const Descriptor& file) {
    const off_t at = the_script->Number<std::uint16_t>() * 16;
    const auto bytes = the_script->Bytes(the_script->Byte());
    if (file.valid()) static_cast<void>(!pwrite(file.get(), bytes.data(), bytes.size(), at));
  }

  void End(ExitStatus status) {
    status_ = status;
    eventfd_write(ended_.get(), 1);
  }

  Descriptor ended_;
  Descriptor requests_;
  Descriptor replies_;
  Descriptor stdout_;
  Descriptor stderr_;
  Descriptor outputs_;
  Descriptor profile_;
  Descriptor findings_;
  wire::Request latest_{};
  std::optional<ExitStatus> status_;
  bool out_of_memory_ = false;
  bool pids_exceeded_ = false;
  bool may_rest_ = the_worker_rests;  // once, and not where the checker's deadline is long
};

Jail::Jail(std::unique_ptr<State> state) : state_(std::move(state)) {}
Jail::Jail(Jail&&) noexcept = default;
Jail& Jail::operator=(Jail&&) noexcept = default;
Jail::~Jail() = default;

Jail Jail::Start(const JailSpec& spec) { return Jail(std::make_unique<State>(spec)); }

bool Jail::Freeze(std::chrono::steady_clock::time_point /*deadline*/) { return true; }
void Jail::Thaw() {}
int Jail::SignalThreads(int /*signal*/, int most) { return state_->SignalThreads(most); }
CoreTimes Jail::Times() const { return {}; }
bool Jail::OutOfMemory() const { return state_->out_of_memory(); }
bool Jail::PidsExceeded() const { return state_->pids_exceeded(); }
void Jail::Kill() noexcept {}
std::optional<ExitStatus> Jail::Poll() { return state_->status(); }
std::optional<ExitStatus> Jail::Wait(std::chrono::steady_clock::time_point /*deadline*/) {
  return state_->status();
}
const std::vector<std::string>& Jail::protections_lost() const {
  static const std::vector<std::string> kNone;
  return kNone;
}
pid_t Jail::Program() const { return -1; }

// The checker calls it before each wait.
int Jail::pidfd() const {
  state_->Step();
  return state_->ended();
}

}  // namespace grader
