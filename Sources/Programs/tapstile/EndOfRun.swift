import ControlProtocol
import Encoding
import Glibc
import Service

/// How a run of the gate's synchronisation ended, whether a server was asked or somebody's folder.
struct EndOfRun {
    /// What the gate says of it.
    let answer: JSON

    /// Microseconds between two questions how far it is.
    private static let interval: UInt32 = 200_000

    /// Waits until it has ended.
    /// - Parameter question: asks how it is.
    init(_ question: ControlOperation, at gate: GateConnection) throws {
        var answer = try gate.ask(question)
        while answer["ended"]?.bool != true {
            usleep(Self.interval)
            answer = try gate.ask(question)
        }
        self.answer = answer
    }

    /// Why it brought nothing to use; nil: it is in order.
    var failure: (code: String?, message: String)? {
        answer["failure"].map { ($0["code"]?.string, "\($0["message"]?.string ?? "") The site data in use stay.") }
    }

    /// What it took, for people.
    var cost: String {
        "\(answer["requests"]?.integer ?? 0) files, \(answer["bytes"]?.integer ?? 0) bytes, \(answer["milliseconds"]?.integer ?? 0) ms"
    }
}
