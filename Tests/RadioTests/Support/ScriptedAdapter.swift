import CLinux
import Files
import Threads

@testable import Radio

/// A way to adapters that answer what a test has laid ready, one after the other; nothing more where nothing is left.
final class ScriptedAdapter: SignalWay {
    let strengths = Mutex<[Int8?]>([])
    /// Who was asked for last.
    let asked = Mutex<String>("")
    /// The errno of each question, while there is one.
    let failure = Mutex<Int32?>(nil)

    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort { try Port(self) }

    final class Port: SignalPort {
        private let adapter: ScriptedAdapter
        private let bell: FileDescriptor
        private var answers: [SignalAnswer] = []
        /// The error of a strength that is refused: connection timeout.
        private static let timeout: UInt8 = 0x08

        init(_ adapter: ScriptedAdapter) throws(SystemError) {
            self.adapter = adapter
            bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
        }

        var descriptor: Int32 { bell.raw }

        func ask(_ address: DeviceAddress) throws(SystemError) {
            adapter.asked.withLock { $0 = address.description }
            if let number = adapter.failure.withLock({ $0 }) { throw SystemError("ask for the strength of a link", number) }
            guard let strength = adapter.strengths.withLock({ $0.isEmpty ? nil : .some($0.removeFirst()) }) else { return }
            answers.append(SignalAnswer(address: address, reported: strength, status: Self.timeout))
            _ = clinux_eventfd_raise(bell.raw)
        }

        func receive() throws(SystemError) -> [SignalAnswer] {
            _ = clinux_eventfd_clear(bell.raw)
            defer { answers = [] }
            return answers
        }
    }
}
