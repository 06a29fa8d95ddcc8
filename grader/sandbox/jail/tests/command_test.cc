// The `jail` command: options, the result, and machines without what a jail needs.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/tests/fixture.h"

namespace grader {
namespace {

class CommandTest : public JailFixture {
 protected:
  void SetUp() override {
    JailFixture::SetUp();
    if (!IsSkipped()) jail_ = Stage("jail");
  }

  CommandResult Run(const std::vector<std::string>& arguments) const {
    return RunCommand(Command(jail_, arguments));
  }

  // With limits before the arguments, which may override them.
  static std::vector<std::string> Command(const std::string& jail,
                                          const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {jail};
    if (arguments != std::vector<std::string>{"--probe"}) {
      const char* const limits[] = {"--wall=0",      "--cpu=0",        "--memory-mb=1024",
                                    "--pids=64",     "--file-mb=16",   "--tmp-mb=32",
                                    "--stack-mb=64", "--output-kb=256"};
      command.insert(command.end(), std::begin(limits), std::end(limits));
    }
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }

  // The command where there are no user namespaces and no cgroups that it may write to.
  CommandResult RunWithoutNamespaces(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv = {"/usr/bin/bwrap",
                                     "--ro-bind",
                                     "/",
                                     "/",
                                     "--dev",
                                     "/dev",
                                     "--proc",
                                     "/proc",
                                     "--tmpfs",
                                     "/tmp",
                                     "--ro-bind",
                                     jail_,
                                     "/tmp/jail",
                                     "--unshare-all",
                                     "--unshare-user",
                                     "--disable-userns",
                                     "--die-with-parent",
                                     "--cap-drop",
                                     "ALL"};
    const std::vector<std::string> command = Command("/tmp/jail", arguments);
    argv.insert(argv.end(), command.begin(), command.end());
    return RunCommand(argv);
  }

  std::string jail_;
};

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CommandTest, WritesTheOutcomeAsJson) {
  const std::string result = folder() + "/result.json";
  const CommandResult run = Run({"--to-compile", "--result", result, "--", "/usr/bin/sh", "-c",
                                 "printf 'a\"\\n\\377'; echo error >&2; exit 3"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "");
  const std::string json = ReadFile(result).value_or("");
  EXPECT_TRUE(Contains(json, R"({"outcome":"exited","code":3,"signal":0,"wall_s":0.)")) << json;
  EXPECT_TRUE(Contains(json,
                       "\"output\":\"a\\\"\\n\xEF\xBF\xBD"
                       "error\\n\""))
      << json;
  EXPECT_TRUE(Contains(json, R"("output_truncated":false,"protections_lost":[)")) << json;
}

TEST_F(CommandTest, TakesPathsWithColonsSpacesAndNewlines) {
  const std::string odd = folder() + "/a:b 'c\nd";
  std::ofstream(odd) << "contents";
  const CommandResult run = Run(
      {"--to-compile", "--ro", odd, "/in:put \n'file", "--", "/usr/bin/cat", "/in:put \n'file"});
  EXPECT_TRUE(Contains(run.output, R"("output":"contents")")) << run.output;
}

TEST_F(CommandTest, LetsTheProgramWriteToItsOutputFolderAlone) {
  const std::string out = MakeFolder("out");
  const CommandResult run = Run({"--to-compile", "--rw", out, "/out", "--", "/usr/bin/sh", "-c",
                                 "echo yes >/out/file; echo no >/no"});
  EXPECT_TRUE(Contains(run.output, "Read-only file system")) << run.output;
  EXPECT_EQ(ReadFile(out + "/file").value_or(""), "yes\n");
}

TEST_F(CommandTest, CompilesWithTheMachinesCompiler) {
  if (access("/usr/bin/g++", X_OK) != 0) GTEST_SKIP() << "there is no /usr/bin/g++";
  const std::string out = MakeFolder("out");
  std::ofstream(folder() + "/answer.cc") << "#include <vector>\nint Answer() { return 42; }\n";
  const CommandResult run =
      Run({"--to-compile", "--wall", "20", "--ro", folder() + "/answer.cc", "/submission/answer.cc",
           "--rw", out, "/out", "--", "/usr/bin/g++", "-shared", "-fPIC", "/submission/answer.cc",
           "-o", "/out/answer.so"});
  EXPECT_TRUE(Contains(run.output, R"({"outcome":"exited","code":0,)")) << run.output;
  EXPECT_GT(FileSize(out + "/answer.so"), 0);
}

TEST_F(CommandTest, RefusesBadOptionsByName) {
  const CommandResult unknown = Run({"--frobnicate", "--", "/usr/bin/true"});
  EXPECT_EQ(unknown.status, 3);
  EXPECT_TRUE(Contains(unknown.output, "--frobnicate\n  next: see `jail --help`\n"))
      << unknown.output;
  const auto refuses = [this](const std::vector<std::string>& words, const std::string& said) {
    const CommandResult run = Run(words);
    EXPECT_EQ(run.status, 3);
    EXPECT_TRUE(Contains(run.output, said)) << run.output;
    EXPECT_TRUE(Contains(run.output, "\n  next: ")) << run.output;
  };
  refuses({"--wall", "soon", "--", "/x"}, "--wall: 'soon' is not a number from 0 to 1e+09");
  refuses({"--wall", "nan", "--", "/x"}, "--wall: 'nan' is not a number");
  refuses({"--pids=-1", "--", "/x"}, "--pids: '-1' is not a number from 1");
  refuses({"--ro", "/x"}, "--ro: ");
  refuses({"--env", "=x", "--", "/x"}, "--env: '=x' is not NAME=VALUE");
  refuses({}, "no program after --");
  refuses({"--", "true"}, "program is not an absolute path: 'true'");
}

TEST_F(CommandTest, SaysWhyTheResultCannotBeWritten) {
  const CommandResult run =
      Run({"--to-compile", "--result", folder() + "/none/result.json", "--", "/usr/bin/true"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.output, "none/result.json: No such file or directory")) << run.output;
}

TEST_F(CommandTest, CleansUpWhenItIsInterrupted) {
  const std::string out = MakeFolder("out");
  const pid_t command = fork();
  if (command == 0) {
    dup2(open("/dev/null", O_WRONLY), 2);
    std::vector<std::string> words =
        Command(jail_, {"--ro", folder() + "/attack", "/attack", "--rw", out, "/out",
                        "--to-compile", "--", "/attack", "leave_daemon", "/out/beats", "stay"});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(jail_.c_str(), argv.data());
    _exit(127);
  }
  for (int i = 0; i < 500 && FileSize(out + "/beats") < 20; ++i) usleep(10'000);
  kill(command, SIGTERM);
  int status = 0;
  waitpid(command, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  const long size = FileSize(out + "/beats");
  EXPECT_GE(size, 20) << "the daemon never ran";
  usleep(100'000);
  EXPECT_EQ(FileSize(out + "/beats"), size);
  for (const std::string& path : JailCgroups()) {
    EXPECT_FALSE(Contains(path, "/grader-jail-" + std::to_string(command) + "-")) << path;
  }
}

TEST_F(CommandTest, ProbeNamesLostProtections) {
  const CommandResult run = Run({"--probe"});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.output.starts_with("{\"protections_lost\":[")) << run.output;
}

TEST_F(CommandTest, SaysWhatToDoWhereUserNamespacesAreRefused) {
  const CommandResult run = RunWithoutNamespaces({"--to-compile", "--", "/usr/bin/true"});
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(Contains(run.output, "error: the jail could not be set up: bwrap: ")) << run.output;
  EXPECT_TRUE(Contains(run.output, "\n  next: allow user namespaces")) << run.output;
}

TEST_F(CommandTest, RunsUnjailedOnlyWhenAskedAndSaysSo) {
  const CommandResult run = RunWithoutNamespaces(
      {"--allow-unjailed", "--ro", "/usr/bin", "/elsewhere", "--env", "NAME=/elsewhere/x", "--",
       "/elsewhere/sh", "-c", "echo hello $NAME; kill -SEGV $$"});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(Contains(run.output, R"("outcome":"signaled","code":0,"signal":11)")) << run.output;
  EXPECT_TRUE(Contains(run.output, R"("output":"hello /usr/bin/x\n")")) << run.output;
  EXPECT_TRUE(Contains(run.output, R"("protections_lost":["no jail: )")) << run.output;
}

TEST_F(CommandTest, UnjailedProgramAndItsDaemonDieAtTheLimit) {
  const auto start = std::chrono::steady_clock::now();
  const CommandResult run = RunWithoutNamespaces(
      {"--allow-unjailed", "--to-compile", "--wall", "0.5", "--", "/usr/bin/sh", "-c",
       "(setsid sh -c 'while :; do echo . >>/tmp/beats; sleep 0.01; done' &); sleep 9"});
  EXPECT_TRUE(Contains(run.output, R"("outcome":"time_limit")")) << run.output;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5))
      << "the daemon is waited for";
}

}  // namespace
}  // namespace grader
