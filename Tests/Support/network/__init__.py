"""Servers and certificates on loopback, and the other side of tapstile-net's frames. Needs the libraries of the judges."""
