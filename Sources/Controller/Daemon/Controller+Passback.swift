import ControlProtocol
import Credentials
import Encoding
import Gate
import Service

extension Controller {
    /// The most people that one answer names.
    private static let mostNamed = 1000

    /// Who is inside, as far as the gate knows.
    func passbackReport(_ query: PassbackQuery) -> JSON {
        let people = parts.state.passback.people(query.subject.map { PersonDigest(subject: $0) }, zone: query.zone)
        let zones = parts.state.passback.zones.filter { query.zone == nil || $0.zone == query.zone }
        return [
            "zones": .array(zones.map(Self.json)),
            "people": .array(people.prefix(Self.mostNamed).map { person in
                ["person": .string(Hex.encode(person.person.bytes)), "zone": .string(person.zone),
                 "since": .string(UTCText.make(milliseconds: person.since)), "sure": .bool(person.isSure)]
            }),
            "more": .bool(people.count > Self.mostNamed)
        ]
    }

    private static func json(_ zone: (zone: String, policy: ZonePolicy, present: Int, doubtful: Int)) -> JSON {
        var fields: JSONObject = ["zone": .string(zone.zone), "mode": .string(zone.policy.mode.word), "present": .integer(Int64(zone.present)),
                                  "doubtful": .integer(Int64(zone.doubtful))]
        fields["capacity"] = zone.policy.capacity.map { .integer(Int64($0)) }
        if case .timed(let milliseconds) = zone.policy.mode { fields["minutes"] = .integer(milliseconds / 60_000) }
        return .object(fields)
    }

    /// People count as gone. Journalled with who asked; a person is named as everywhere in the state.
    func resetPassback(_ query: PassbackQuery, by requester: Requester) -> JSON {
        let person = query.subject.map { PersonDigest(subject: $0) }
        var detail = requester.detail
        detail["zone"] = query.zone.map { .text($0) }
        detail["person"] = person.map { .text(Hex.encode($0.bytes)) }
        let (count, ticket) = parts.state.passback.reset(person, zone: query.zone, at: parts.clock.now()) { count, effects in
            detail["forgotten"] = CBOR(count)
            return (count, parts.recorder.record(.service, "asked", reason: "passback-reset", detail: detail, effects: effects))
        }
        return ["forgotten": .integer(Int64(count)), "journalled": .bool(ticket.isSoonDurable)]
    }
}
