// Hostile: the assembler copies a hidden file into the object; asm is not allowed.
// Or: compile_error
asm(".incbin \"/var/tmp/grader_attack_canary\"");
