import CommandLineOptions
import ControlProtocol
import Threads

// What the client throws.

extension FetchFrameError: ReportableError {}

extension SystemError: ReportableError {}
