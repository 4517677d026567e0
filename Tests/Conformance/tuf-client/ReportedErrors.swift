import CommandLineOptions
import ControlProtocol
import Encoding
import Threads

// What the client throws.

extension FrameError: ReportableError {
    public var code: String { "fetcher-protocol" }
}

extension SystemError: ReportableError {}
