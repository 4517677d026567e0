"""Runs the parts of `make test` beside one another, each within its limit, and says what each came to."""
