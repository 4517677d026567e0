import ControlProtocol
import Service

extension Log {
    /// The most lines of one error: a file that is something else has a mistake in each of its lines.
    private static let mostDetails = 20

    /// An error, and what there is to say more.
    func error(_ error: ControlError) {
        self.error("\(error.code): \(error.message)")
        for line in error.details.prefix(Self.mostDetails) { self.error(line) }
    }
}
