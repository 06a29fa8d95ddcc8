// Hostile: #include_next where only #include is looked for; every directive that reads is refused.
#include_next <var/tmp/grader_attack_canary>
