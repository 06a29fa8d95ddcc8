// Hostile: __has_include tests which hidden files exist; none exists in the jail, and it is
// refused.
#if __has_include("/var/tmp/grader_attack_canary")
#error it is there
#endif
#if __has_include("/kit/checker")
#error it is there
#endif
#if __has_include("/kit/lab.toml")
#error it is there
#endif
#if __has_include("/etc/passwd")
#error it is there
#endif
