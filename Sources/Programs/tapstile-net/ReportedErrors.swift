import CommandLineOptions
import Threads

// What keeps the program from starting.

extension SystemError: ReportableError {}
