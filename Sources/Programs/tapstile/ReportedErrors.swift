import CommandLineOptions
import ControlProtocol
import Encoding
import Service
import Threads

// What the tool's commands throw.

extension ControlClientError: ReportableError {}

extension ControlError: ReportableError {}

extension FrameError: ReportableError {
    public var code: String { "fetcher-protocol" }
}

extension SystemError: ReportableError {}
