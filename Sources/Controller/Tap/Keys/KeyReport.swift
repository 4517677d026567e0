import Credentials
import Encoding
import Service

/// The keys in force and those that follow, for `status` and the log.
package struct KeyReport: Sendable {
    /// The keys.
    let ring: KeyRing
    /// The clock's reading, also where nobody vouches for it.
    let time: WallTime
    /// The moment of it.
    let moment: KeyMoment

    package init(_ ring: KeyRing, _ clock: SystemClock) {
        self.ring = ring
        time = clock.now()
        moment = clock.keyMoment(of: time)
    }

    /// Something about the keys that somebody should look after.
    package struct Warning: Hashable, Sendable {
        /// Stable code.
        package let code: String
        /// A sentence for people that names the remedy.
        package let message: String
    }

    /// How long before its end a credential is spoken of: time to come to every gate.
    static let early: Int64 = 14 * 86400

    /// The thumbprints of the keys in force: what changes when they do.
    package var inForce: [String] { slots.compactMap { $0.slot.inForce(isSwitched: isSwitched).map(Self.thumbprint) } }

    /// See `KeyRing.settledDate`.
    package var settledDate: Int64? { ring.settledDate(at: moment) }

    /// What there is to look after.
    package var warnings: [Warning] {
        (waiting.map { [$0] } ?? []) + slots.compactMap { slot in slot.slot.inForce(isSwitched: isSwitched).flatMap(expiry) }
    }

    /// The report as JSON.
    package var json: JSON {
        var fields = JSONObject(slots.map { ($0.name, json($0.slot)) })
        fields["switchAt"] = ring.switchAt.map { .string(UTCText.make(seconds: $0)) }
        fields["switched"] = ring.switchAt == nil ? nil : .bool(isSwitched)
        fields["warnings"] = .array(warnings.map { ["code": .string($0.code), "message": .string($0.message)] })
        return .object(fields)
    }

    private var isSwitched: Bool { ring.isSwitched(at: moment) }
    private var hasNext: Bool { slots.contains { $0.slot.next != nil } }
    private var slots: [(name: String, slot: KeySlot)] { [("signing", ring.signing), ("agreement", ring.agreement)] }

    /// The date has come by the machine's own clock, for which nobody vouches.
    private var waiting: Warning? {
        guard let at = ring.switchAt, hasNext, !isSwitched, !moment.isTrusted, time.seconds >= at else { return nil }
        return Warning(code: "gate-key-switch-waits",
                       message: "The next keys are due since \(UTCText.make(seconds: at)), but nobody vouches for the clock: the gate stays with "
                           + "the old ones until somebody does. Look at `clock` in status.")
    }

    private func expiry(_ key: GateKey) -> Warning? {
        guard let token = key.token else { return nil }
        let end = UTCText.make(seconds: token.claims.expiresAt)
        if token.claims.expiresAt <= moment.seconds {
            return Warning(code: "gate-token-expired",
                           message: "The credential beside \(key.path) ended at \(end): phones that do not know the key stay outside. "
                               + "Take it out of the configuration, or bring a new one.")
        }
        guard token.claims.expiresAt - Self.early <= moment.seconds else { return nil }
        return Warning(code: "gate-token-expires",
                       message: "The credential beside \(key.path) ends at \(end). Phones should know the key by then; give them the new gates.phone.")
    }

    private func json(_ slot: KeySlot) -> JSON {
        var fields: JSONObject = [:]
        fields["inForce"] = slot.inForce(isSwitched: isSwitched).map(json)
        fields["next"] = isSwitched ? nil : slot.next.map(json)
        return .object(fields)
    }

    private func json(_ key: GateKey) -> JSON {
        var fields: JSONObject = [
            "path": .string(key.path), "kid": .string(Hex.encode(key.reference.keyIdentifier)),
            "thumbprint": .string(Self.thumbprint(key)), "shown": key.validToken(at: moment) == nil ? "reference" : "value"]
        fields["credentialExpires"] = key.token.map { .string(UTCText.make(seconds: $0.claims.expiresAt)) }
        return .object(fields)
    }

    private static func thumbprint(_ key: GateKey) -> String { Hex.encode(key.key.publicKey.thumbprint) }
}
