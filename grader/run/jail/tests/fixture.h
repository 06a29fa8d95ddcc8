#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <string>
#include <vector>

#include "grader/run/jail/jail.h"
#include "grader/run/jail/outcome.h"

namespace grader {

// Who runs the jail in a test: whoever runs the test, or somebody without privileges (where the
// test runs as root, nobody).
enum class User { kOurs, kNobody };

// A machine that can jail, and a folder that everybody can enter with the attack program in it. The
// test is skipped, with the reason, where the machine cannot jail.
// With limits that ordinary programs keep, and nothing to run.
JailSpec SmallSpec();

class JailFixture : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // A new folder below folder() that the user can write to.
  std::string MakeFolder(const std::string& name, User user = User::kOurs) const;
  const std::string& folder() const { return folder_; }

  // A program of this package, copied to the folder.
  std::string Stage(const std::string& program) const;

  // The attack in a jail with small limits: 64 MB, 24 processes, 5 seconds.
  JailSpec Attack(const std::string& name, const std::vector<std::string>& arguments = {}) const;

  // The same of an attack that starts processes, which a jail allows to compilers only.
  JailSpec AttackOfMany(const std::string& name,
                        const std::vector<std::string>& arguments = {}) const;

  // A program of /usr/bin in a jail that sees all of /usr.
  static JailSpec System(const std::vector<std::string>& argv);

 private:
  std::string folder_;
};

// Runs it to its end as that user. A JailError becomes the kind of the outcome.
Outcome RunAs(User user, const JailSpec& spec);

// While it lives this thread, and what it starts, has but one of the cores it had.
class OnOneCore {
 public:
  OnOneCore();
  ~OnOneCore();
  OnOneCore(const OnOneCore&) = delete;
  OnOneCore& operator=(const OnOneCore&) = delete;
  bool holds() const { return holds_; }

 private:
  cpu_set_t before_;
  bool holds_ = false;
};

// What a jail lacks on this machine, joined; what() when there is none.
const std::string& LostProtections();
bool Loses(const std::string& words);

// What a command left on standard output and error, and its exit status.
struct CommandResult {
  int status = -1;
  std::string output;
};
CommandResult RunCommand(const std::vector<std::string>& argv);

// All cgroup folders of jails in the hierarchies of this machine.
std::vector<std::string> JailCgroups();

long FileSize(const std::string& path);

}  // namespace grader
