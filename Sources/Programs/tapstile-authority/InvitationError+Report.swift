import CommandLineOptions
import InvitationDesk
import InvitationServer
import Threads

extension DeskError: ReportableError {}
extension InvitationServiceError: ReportableError {}

/// What is wrong with a list of people to be invited.
struct InviteListError: ReportableError {
    let code: String
    let message: String

    init(_ path: String, line: Int, code: String, _ message: String) {
        self.code = code
        self.message = "\(path):\(line): \(message) Nobody was invited."
    }
}

/// A file or standard input cannot be used.
struct FileFault: ReportableError {
    private let error: SystemError

    init(_ error: SystemError) { self.error = error }

    var code: String { error.code }
    var message: String { error.message }
}
