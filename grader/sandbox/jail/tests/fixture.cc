#include "grader/sandbox/jail/tests/fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/hierarchies.h"
#include "grader/sandbox/jail/tests/run_only_on.h"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr int kNobody = 65534;

std::string ReadAll(int fd) {
  std::string text;
  char block[4096];
  for (ssize_t got; (got = read(fd, block, sizeof block)) > 0;) {
    text.append(block, static_cast<std::size_t>(got));
  }
  return text;
}

void BecomeNobody() {
  if (geteuid() != 0) return;
  if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(99);
}

std::string Packed(const Outcome& outcome) {
  std::ostringstream text;
  text << outcome.kind << '\0' << outcome.status.code << ' ' << outcome.status.signal << ' '
       << outcome.output_truncated << '\n'
       << outcome.output;
  return text.str();
}

Outcome Unpacked(const std::string& text) {
  Outcome outcome;
  std::istringstream stream(text);
  std::getline(stream, outcome.kind, '\0');
  stream >> outcome.status.code >> outcome.status.signal >> outcome.output_truncated;
  stream.get();
  outcome.output.assign(std::istreambuf_iterator<char>(stream), {});
  return outcome;
}

Outcome RunHere(const JailSpec& spec) {
  try {
    return RunToEnd(spec, 64 << 10, -1);
  } catch (const JailError& error) {
    Outcome outcome;
    outcome.kind = error.what();
    return outcome;
  }
}

}  // namespace

JailSpec SmallSpec() {
  JailSpec spec;
  spec.memory_mb = 1024;
  spec.pids = 64;
  spec.file_mb = 16;
  spec.tmp_mb = 32;
  spec.stack_mb = 64;
  return spec;
}

void JailFixture::SetUp() {
  if (LostProtections().find("\n  next:") != std::string::npos) {
    GTEST_SKIP() << "this machine cannot jail: " << LostProtections();
  }
  char name[] = "/tmp/jail-test-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  folder_ = name;
  chmod(name, 0755);
  Stage("attack");
}

void JailFixture::TearDown() {
  if (!folder_.empty()) fs::remove_all(folder_);
}

std::string JailFixture::MakeFolder(const std::string& name, User user) const {
  const std::string path = folder_ + "/" + name;
  fs::create_directory(path);
  if (user == User::kNobody && geteuid() == 0 && chown(path.c_str(), kNobody, kNobody) != 0)
    ADD_FAILURE();
  return path;
}

std::string JailFixture::Stage(const std::string& program) const {
  const std::string path = folder_ + "/" + program;
  fs::copy_file("grader/sandbox/jail/" + program, path, fs::copy_options::overwrite_existing);
  chmod(path.c_str(), 0755);
  return path;
}

JailSpec JailFixture::Attack(const std::string& name,
                             const std::vector<std::string>& arguments) const {
  JailSpec spec = SmallSpec();
  spec.argv = {"/attack", name};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.binds = {{folder_ + "/attack", "/attack", false}};
  spec.wall_seconds = 5;
  spec.memory_mb = 64;
  spec.pids = 24;
  return spec;
}

JailSpec JailFixture::AttackOfMany(const std::string& name,
                                   const std::vector<std::string>& arguments) const {
  JailSpec spec = Attack(name, arguments);
  spec.compiles = true;
  return spec;
}

JailSpec JailFixture::System(const std::vector<std::string>& argv) {
  JailSpec spec = SmallSpec();
  spec.argv = argv;
  spec.compiles = true;
  spec.wall_seconds = 10;
  return spec;
}

Outcome RunAs(User user, const JailSpec& spec) {
  if (user == User::kOurs) return RunHere(spec);
  auto [reader, writer] = MakePipe();
  const pid_t child = fork();
  if (child == 0) {
    BecomeNobody();
    const std::string text = Packed(RunHere(spec));
    _exit(write(writer.get(), text.data(), text.size()) < 0);
  }
  writer.Close();
  const Outcome outcome = Unpacked(ReadAll(reader.get()));
  waitpid(child, nullptr, 0);
  return outcome;
}

OnOneCore::OnOneCore() {
  holds_ = sched_getaffinity(0, sizeof before_, &before_) == 0 && RunOnlyOn(sched_getcpu());
}

OnOneCore::~OnOneCore() {
  if (holds_) sched_setaffinity(0, sizeof before_, &before_);
}

const std::string& LostProtections() {
  static const std::string lost = [] {
    try {
      std::string text;
      for (const std::string& protection : ProbeProtectionsLost()) text += protection + "; ";
      return text;
    } catch (const JailError& error) {
      return std::string(error.what());
    }
  }();
  return lost;
}

bool Loses(const std::string& words) { return LostProtections().find(words) != std::string::npos; }

CommandResult RunCommand(const std::vector<std::string>& argv) {
  auto [reader, writer] = MakePipe();
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    dup2(writer.get(), 1);
    dup2(writer.get(), 2);
    execv(words[0], words.data());
    _exit(127);
  }
  writer.Close();
  CommandResult result;
  result.output = ReadAll(reader.get());
  int status = 0;
  waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::vector<std::string> JailCgroups() {
  std::vector<std::string> found;
  const Hierarchies& own = OwnHierarchies();
  for (const auto* hierarchy : {&own.v1_memory, &own.v1_pids, &own.v2}) {
    if (!hierarchy->has_value()) continue;
    std::error_code error;
    fs::recursive_directory_iterator folder((*hierarchy)->mount_point, error);
    for (; !error && folder != fs::recursive_directory_iterator(); folder.increment(error)) {
      const std::string path = folder->path();
      if (path.find("/grader-jail-") != std::string::npos && folder->is_directory(error)) {
        found.push_back(path);
      }
    }
  }
  return found;
}

long FileSize(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? static_cast<long>(info.st_size) : -1;
}

}  // namespace grader
