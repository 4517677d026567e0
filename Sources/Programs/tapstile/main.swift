import Glibc

// A closed pipe (`tapstile journal | head`) is seen as a failed write, not as a signal.
signal(SIGPIPE, SIG_IGN)
exit(Tool.run(arguments: Array(CommandLine.arguments.dropFirst())))
