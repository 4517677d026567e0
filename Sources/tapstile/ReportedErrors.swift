import CommandLineOptions
import ControlProtocol
import Service
import Threads
import TrustSync

// What the tool's commands throw.

extension ControlClientError: ReportableError {}

extension ControlError: ReportableError {}

extension UpdateRefusal: ReportableError {}

extension FetchFrameError: ReportableError {}

extension SystemError: ReportableError {}
