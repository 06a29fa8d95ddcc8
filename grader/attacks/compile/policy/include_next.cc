// Hostile: #include_next instead of #include; every directive that reads a file is refused.
#include_next <var/tmp/grader_attack_canary>
