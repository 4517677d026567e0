import Gate
import Lines
import Vocabulary

/// The names under which the lines of one lane stand in the bank.
package struct LaneLines: Equatable, Sendable {
    /// Relay A: it opens inwards; both ways where it is the only one.
    let relay: LineName
    /// Relay B: it opens outwards.
    var relayOut: LineName?
    /// The lamps that are wired, and the buzzer.
    var lamps: [Lamp: LineName] = [:]
    /// The indicators that are wired.
    var steady: [SteadyIndicator: LineName] = [:]

    package init(relay: LineName, relayOut: LineName? = nil, lamps: [Lamp: LineName] = [:],
                 steady: [SteadyIndicator: LineName] = [:]) {
        self.relay = relay
        self.relayOut = relayOut
        self.lamps = lamps
        self.steady = steady
    }

    /// All of them, the relays first.
    var all: [LineName] { relays + (Array(lamps.values) + Array(steady.values)).sorted() }

    /// The relays.
    var relays: [LineName] { [relay, relayOut].compactMap(\.self) }

    /// The relay that opens in `direction`.
    func relay(_ direction: Direction) -> LineName {
        switch direction {
        case .in: relay
        case .out: relayOut ?? relay
        }
    }
}
