import Cryptography
import Encoding

/// What was recorded of the worked exchanges: everything that was chosen at random, and every APDU. All
/// else follows from it (`ExchangeLedger`). The keys are in public and good for nothing else.
public struct Recording: Hashable, Sendable {
    public let site: String
    public let gate: String
    public let lane: String
    /// The gate's time, UNIX seconds.
    public let time: Int64
    /// Generation of the gate's site data.
    public let generation: UInt64
    /// Head of the gate's journal in OUTCOME.
    public let journalHead: [UInt8]
    /// Private value of the gate group's signing key.
    public let gateKey: [UInt8]
    /// Private value of the phone's signing key.
    public let phoneKey: [UInt8]
    /// Private value of the token issuer's key.
    public let issuerKey: [UInt8]
    public let token: [UInt8]
    public let exchanges: [Exchange]

    /// One tap.
    public struct Exchange: Hashable, Sendable {
        public let isByReference: Bool
        /// The cipher suite's number.
        public let suite: Int
        /// Private values of the ephemeral keys.
        public let phoneEphemeral: [UInt8]
        public let gateEphemeral: [UInt8]
        /// Commands and responses as they went over the air.
        public let air: [Step]
    }

    /// A command APDU and its response.
    public struct Step: Hashable, Sendable {
        public let command: [UInt8]
        public let response: [UInt8]
    }

    /// A recording that lacks something or has something else in its place.
    struct Incomplete: Error {}
}

extension Recording {
    /// Reads what `json` wrote.
    public init(json bytes: [UInt8]) throws {
        let json = try JSON.parse(bytes)
        site = try json.text("site")
        gate = try json.text("gate")
        lane = try json.text("lane")
        time = try json.number("time")
        generation = UInt64(try json.number("generation"))
        journalHead = try json.bytes("journal-head")
        gateKey = try json.bytes("gate-key")
        phoneKey = try json.bytes("phone-key")
        issuerKey = try json.bytes("issuer-key")
        token = try json.bytes("token")
        exchanges = try (json["exchanges"]?.array ?? []).map(Exchange.init(json:))
    }

    /// The recording as one JSON object.
    public var json: JSON {
        [
            "site": .string(site), "gate": .string(gate), "lane": .string(lane), "time": JSON(time),
            "generation": JSON(Int64(generation)), "journal-head": .string(Hex.encode(journalHead)),
            "gate-key": .string(Hex.encode(gateKey)), "phone-key": .string(Hex.encode(phoneKey)),
            "issuer-key": .string(Hex.encode(issuerKey)), "token": .string(Hex.encode(token)),
            "exchanges": .array(exchanges.map(\.json))
        ]
    }
}

extension Recording.Exchange {
    init(json: JSON) throws {
        guard let byReference = json["by-reference"]?.bool, let steps = json["air"]?.array else {
            throw Recording.Incomplete()
        }
        isByReference = byReference
        suite = Int(json["suite"]?.integer ?? 2)
        phoneEphemeral = try json.bytes("phone-ephemeral")
        gateEphemeral = try json.bytes("gate-ephemeral")
        air = try steps.map { Recording.Step(command: try $0.bytes("command"), response: try $0.bytes("response")) }
    }

    var json: JSON {
        [
            "by-reference": .bool(isByReference), "suite": JSON(Int64(suite)), "phone-ephemeral": .string(Hex.encode(phoneEphemeral)),
            "gate-ephemeral": .string(Hex.encode(gateEphemeral)),
            "air": .array(air.map {
                ["command": .string(Hex.encode($0.command)), "response": .string(Hex.encode($0.response))]
            })
        ]
    }
}

extension JSON {
    fileprivate func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else { throw Recording.Incomplete() }
        return text
    }

    fileprivate func number(_ key: String) throws -> Int64 {
        guard let number = self[key]?.integer else { throw Recording.Incomplete() }
        return number
    }

    fileprivate func bytes(_ key: String) throws -> [UInt8] { try Hex.decode(try text(key)) }
}
