"""A course as data: its labs, deadlines and rules, and the term's table that follows from them."""
