"""What instructors, students and lab authors do with labs and results."""
