import Encoding

/// When the roles end whose files a gate has verified, UNIX seconds: so long it can take what is new (S2). Pure.
package struct RoleEnds: Equatable, Sendable {
    /// What is to be said of them.
    package struct Warning: Equatable, Sendable {
        /// Stable code for operators.
        package let code: String
        /// A sentence for people.
        package let message: String
    }

    /// By the name of the role.
    let times: [String: Int64]

    /// People have to come together to sign these: a word two weeks before. The others the office signs anew by itself.
    private static let offline: Set = ["root", "targets"]
    private static let earlyOffline: Int64 = 14 * 86_400
    private static let early: Int64 = 86_400

    /// Which one ends first.
    var first: (role: String, time: Int64)? { times.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) } }

    /// - Parameter now: UNIX seconds.
    package func warning(at now: Int64) -> Warning? {
        let due = times.filter { role, time in time - (Self.offline.contains(role) ? Self.earlyOffline : Self.early) <= now }
        guard let (role, time) = RoleEnds(times: due).first else { return nil }
        let remedy = Self.offline.contains(role) ? "Whoever holds its keys has to sign: tapstile-authority publish says what."
            : "In the office tapstile-authority publish signs it anew: see why that does not run, or does not arrive."
        guard time <= now else {
            return Warning(code: "sync-ends-soon", message: "The role \(role) ends on \(UTCText.make(seconds: time)). From then on this gate takes nothing new, "
                + "neither people nor revocations. \(remedy)")
        }
        return Warning(code: "sync-ended", message: "The role \(role) has ended on \(UTCText.make(seconds: time)). This gate takes nothing new, neither people nor "
            + "revocations, until a newer one comes. \(remedy)")
    }

    /// For `status`.
    var json: JSON { .object(JSONObject(times.sorted { $0.key < $1.key }.map { ($0.key, JSON.string(UTCText.make(seconds: $0.value))) })) }
}

extension RoleEnds {
    var cbor: CBOR { .array(times.sorted { $0.key < $1.key }.map { .array([.text($0.key), CBOR($0.value)]) }) }

    /// Nil for what is none.
    package init?(_ cbor: CBOR) {
        guard let items = cbor.array else { return nil }
        var times: [String: Int64] = [:]
        for item in items {
            guard let pair = item.array, pair.count == 2, let role = pair[0].text, let time = pair[1].integer else { return nil }
            times[role] = time
        }
        self.init(times: times)
    }
}
