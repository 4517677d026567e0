import CommandLineOptions
import ControlProtocol
import Service
import Threads

// What the tool's commands throw.

extension ControlClientError: ReportableError {}

extension ControlError: ReportableError {}

extension FetchFrameError: ReportableError {}

extension SystemError: ReportableError {}
