import ControlProtocol
import Encoding
import Gate
import Service

/// Tells integrators which phones are near a radio, every so often while there are any (T12). A phone is named by the number
/// of its link, which says nothing about it: its next connection has another one.
package struct NearbyReport {
    private enum State {
        /// The last report named nobody, and none follows.
        case quiet
        /// Somebody is there; the next report is due then.
        case reporting(next: Int64)
    }

    private let radio: String
    private let events: EventHub
    private var state = State.quiet

    package init(radio: String, events: EventHub) {
        self.radio = radio
        self.events = events
    }

    /// When the next one is due: at once when somebody comes; nil if none is.
    /// - Parameter interval: milliseconds; nil: no reports are wanted.
    package func nextDue(isAnybodyThere: Bool, every interval: Int64?) -> Int64? {
        guard interval != nil else { return nil }
        return switch state {
        case .quiet: isAnybodyThere ? 0 : nil
        case .reporting(let next): next
        }
    }

    /// Tells if it is time to.
    mutating func report(_ sights: [LinkSight], every interval: Int64?, at now: Int64) {
        let phones = sights.filter(\.isThere)
        guard let interval, let due = nextDue(isAnybodyThere: !phones.isEmpty, every: interval) else { return state = .quiet }
        guard due <= now else { return }
        events.emit(.nearby, ["radio": .string(radio), "phones": .array(phones.map(Self.json))])
        state = phones.isEmpty ? .quiet : .reporting(next: now + interval)
    }

    private static func json(_ sight: LinkSight) -> JSON {
        var fields: JSONObject = ["link": .integer(Int64(clamping: sight.link.value)), "stage": .string(sight.stage.rawValue)]
        if case .dBm(let strength) = sight.strength { fields["rssi"] = .integer(Int64(strength)) }
        return .object(fields)
    }
}

extension LinkSight {
    /// Whether somebody is there who has not been told to go.
    var isThere: Bool { stage != .leaving }
}
