// Hostile: a macro names the included file; an include must say its header in plain words.
#define HIDDEN </var/tmp/grader_attack_canary>
#include HIDDEN
