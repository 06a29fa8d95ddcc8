// Hostile: includes a file of the grader's machine by its path; only headers by name are allowed.
#include "/var/tmp/grader_attack_canary"
