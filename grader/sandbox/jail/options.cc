#include "grader/sandbox/jail/options.h"

#include <algorithm>

#include "grader/sandbox/command_line/command_line.h"

namespace grader {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Every limit is required.
void AddLimits(CLI::App& app, Options& options) {
  JailSpec& spec = options.spec;
  AddLimit(app, "--wall", spec.wall_seconds, "wall-clock seconds minus run-queue wait; 0: no limit",
           0);
  AddLimit(app, "--cpu", spec.cpu_seconds, "processor seconds of all its processes; 0: no limit",
           0);
  AddLimit(app, "--memory-mb", spec.memory_mb, "memory of all its processes and its /tmp", 1);
  AddLimit(app, "--pids", spec.pids, "processes and threads", 1);
  AddLimit(app, "--file-mb", spec.file_mb, "largest file that it may write", 1);
  AddLimit(app, "--tmp-mb", spec.tmp_mb, "size of /tmp and of /dev/shm", 1);
  AddLimit(app, "--stack-mb", spec.stack_mb, "size of the stack", 1);
  AddLimit(app, "--output-kb", options.output_kb, "size of its standard output and error", 1);
}

void AddMounts(CLI::App& app, JailSpec& spec, Pairs& read_only, Pairs& writable,
               std::vector<std::string>& env) {
  app.add_option("--ro", read_only, "SRC DST: mounts a file or folder")->type_size(2);
  app.add_option("--rw", writable, "SRC DST: as --ro, but writable")->type_size(2);
  app.add_option("--device", spec.devices, "device file that it may use")->expected(1)->take_all();
  app.add_option("--env", env, "NAME=VALUE: besides PATH and HOME")->expected(1)->take_all();
}

void AddFlags(CLI::App& app, Options& options) {
  JailSpec& spec = options.spec;
  app.add_flag("--to-compile", spec.compiles,
               "shows it all of /usr, not only the libraries, and lets it start processes");
  app.add_flag("--ranks", spec.starts_ranks,
               "lets it start processes that share memory, a message-passing program's ranks");
  app.add_option("--uid", spec.uid,
                 "user id on the host when run by root (one that no other jail has)")
      ->check(NumberFrom(0));
  app.add_flag("--disable-aslr", spec.disable_aslr, "for ThreadSanitizer builds");
  app.add_flag("--huge-address-space", spec.huge_address_space,
               "it reserves far more memory than it uses (sanitizers, CUDA)");
  app.add_flag("--allow-unjailed", spec.allow_unjailed,
               "run it unjailed where no jail can be started: never for untrusted code");
  app.add_option("--result", options.result, "file for the JSON (standard output)");
}

}  // namespace

Options ParseOptions(const std::vector<std::string>& words) {
  Options options;
  CLI::App app(
      "Runs a program that may be hostile and writes its outcome as JSON:\n"
      "  jail [options] -- PROGRAM [ARGUMENT]...\n"
      "  jail --probe    prints which protections this machine lacks\n"
      "Exit status: 0 the result is valid, whatever the program did; 3 the jail failed.",
      "jail");
  app.set_help_flag();
  app.add_flag("--help", options.help, "prints this help");
  Pairs read_only, writable;
  std::vector<std::string> env;
  AddLimits(app, options);
  AddMounts(app, options.spec, read_only, writable, env);
  AddFlags(app, options);
  if (words == std::vector<std::string>{"--probe"}) {
    options.probe = true;
    return options;
  }
  if (words == std::vector<std::string>{"--help"}) {
    options.help = true;
    options.usage = app.help();
    return options;
  }
  const auto dashes = std::ranges::find(words, "--");
  Parse(app, std::vector<std::string>(words.begin(), dashes));
  if (dashes != words.end()) options.spec.argv.assign(dashes + 1, words.end());
  if (options.spec.argv.empty()) {
    throw UsageError("jail: no program after --\n  next: see `jail --help`");
  }
  for (const auto& [source, target] : read_only) options.spec.binds.push_back({source, target});
  for (const auto& [source, target] : writable) {
    options.spec.binds.push_back({source, target, true});
  }
  for (const std::string& text : env) options.spec.env.push_back(ParseVariable(text));
  return options;
}

}  // namespace grader
