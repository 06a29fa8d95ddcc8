"""What only the instructor's workspace has, for @local_staff. The students' copy lacks this file."""

# The library with a lab's reference, by the lab's name.
REFERENCE = "//solutions:%s_reference"
