import Threads

extension OutsideCall {
    /// Lines of a lane: their chip may hang behind a slow bus, and whoever comes second waits too.
    static func lines(of lane: String) -> OutsideCall {
        OutsideCall("the lines of lane \(lane)", .fault(afterMilliseconds: 5000), remedy: linesRemedy)
    }

    /// The same while the relay is energised: it may be the one that is not de-energised. A hanging chip leaves
    /// nothing to try again but from another process: the kernel takes the line from this one, and the stop step
    /// requests it at its safe level.
    static func linesWithRelayOn(of lane: String) -> OutsideCall {
        OutsideCall("the lines of lane \(lane), its relay energised", .restart(afterMilliseconds: 5000), remedy: linesRemedy)
    }

    /// Indicators of a lane, whose chip may hang like any other. No relay is among them.
    static func indicators(of lane: String) -> OutsideCall {
        OutsideCall("the indicators of lane \(lane)", .fault(afterMilliseconds: 5000), remedy: linesRemedy)
    }

    /// Opening chips, which may be slow or half plugged in.
    package static let chips = OutsideCall("the GPIO chips", .fault(afterMilliseconds: 10_000), remedy: linesRemedy)

    private static let linesRemedy = "Its GPIO chip does not answer: look at the bus and plug it is on (`dmesg`)."
}
