#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <string>
#include <vector>

#include "grader/sandbox/jail/jail.h"
#include "grader/sandbox/jail/outcome.h"

namespace grader {

// The user that runs the jail: the one that runs the test, or one without privileges (`nobody`
// where the test runs as root).
enum class User { kOurs, kNobody };

// A specification with limits that ordinary programs keep, and without a program.
JailSpec SmallSpec();

// A folder that everybody can enter, with the attack program in it. Skips the test, with the
// reason, on a machine that cannot jail.
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

  // As Attack, for one that starts processes, which a jail allows only to compilers.
  JailSpec AttackOfMany(const std::string& name,
                        const std::vector<std::string>& arguments = {}) const;

  // A program of /usr/bin in a jail that sees all of /usr.
  static JailSpec System(const std::vector<std::string>& argv);

 private:
  std::string folder_;
};

// Runs it to its end as that user. A JailError becomes the kind of the outcome.
Outcome RunAs(User user, const JailSpec& spec);

// Pins this thread, and what it starts, to one core while the object lives.
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

// The protections that this machine lacks, joined; the JailError's text if it cannot jail.
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
