import CommandLineOptions
import Configuration
import Controller
import Service
import Threads

// What keeps the daemon from starting, or ends it.

extension InvalidConfiguration: ReportableError {
    public var details: [String] { issues.map(\.description) }
}

extension StartError: ReportableError {}

extension Breakdown: ReportableError {}

extension InstanceLockError: ReportableError {}

extension SystemError: ReportableError {}
