// Hostile: imports a file as a module; every directive that reads a file is refused.
// Or: compile_error
import "/var/tmp/grader_attack_canary";
