import Glibc
import Lines
import Readers
import Threads

/// A reader's hardware reset on a line of the gate.
package struct ReaderResetLine: ResetLine {
    let bank: any LineBank
    package let line: LineName

    package init(bank: any LineBank, line: LineName) {
        self.bank = bank
        self.line = line
    }

    /// A PN532 needs 20 ns (user manual, RSTPD_N); what hangs on a line of a board, and the board, more.
    private static let lowMicroseconds: UInt32 = 20_000
    /// Until it listens.
    private static let startMicroseconds: UInt32 = 50_000

    package func pull() throws(LinkFault) {
        do throws(LineError) {
            try bank.set(line, active: true)
            usleep(Self.lowMicroseconds)
            try bank.set(line, active: false)
            usleep(Self.startMicroseconds)
        } catch {
            throw LinkFault(code: error.code, message: "The reset line \(line): \(error.message)")
        }
    }
}
