import Cryptography
import Encoding

/// A phone's proof, kept so that somebody who was not there can check it years later: everything that its
/// signature was made over. A MAC (methods 2 and 3) convinces only the gate that made the keys, and is kept
/// for completeness.
///
/// In format 2 TH_3 and TH_4 follow from what is kept, and gate, lane, carrier and time can be read in it.
/// Format 1, of older records, has TH_3 as a bare hash: the signature can be checked, but not where it was made.
public struct TapEvidence: Hashable, Sendable {
    public let method: EDHOCMethod
    /// ID_CRED_I; it contains the credential where that came by value.
    public let identifier: [UInt8]
    /// What the gate had said; nil in format 1.
    public let gate: GateStatement?
    /// TH_3.
    public let transcript3: [UInt8]
    /// CRED_I.
    public let credential: [UInt8]
    /// EAD_3 as on the wire: what the phone asked for.
    public let ead: [UInt8]
    /// MAC_3.
    public let mac: [UInt8]
    /// Signature_or_MAC_3.
    public let proof: [UInt8]

    init(of result: EDHOCResult) {
        method = result.method
        identifier = result.proof.identifier
        gate = GateStatement(result.responder, method: result.method)
        transcript3 = result.proof.transcript
        credential = result.proof.credential
        ead = result.proof.ead
        mac = result.mac3
        proof = result.proofField
    }

    /// `[2, method, ID_CRED_I, TH_2, PLAINTEXT_2, MAC_2, CRED_R, CRED_I / null, EAD_3, MAC_3,
    /// Signature_or_MAC_3]`, all but the first two byte strings; CRED_I is null where ID_CRED_I ends with it.
    /// Format 1 is written as it was read: `[method, ID_CRED_I, TH_3, CRED_I / null, …]`.
    public var encoded: [UInt8] {
        // A grant waits for this: one buffer, and nothing is read again.
        var writer = CBORWriter(reserving: Self.usualLength)
        writer.appendArrayHead(count: gate == nil ? Self.itemCounts.first : Self.itemCounts.second)
        if gate != nil { writer.append(CBOR(Self.format)) }
        writer.append(CBOR(method.rawValue))
        writer.append(.bytes(identifier))
        if let gate {
            for said in [gate.transcript2, gate.plaintext2, gate.mac2, gate.credential] { writer.append(.bytes(said)) }
        } else {
            writer.append(.bytes(transcript3))
        }
        writer.append(CredentialIdentifier.isMap(identifier, of: credential) ? .null : .bytes(credential))
        for shown in [ead, mac, proof] { writer.append(.bytes(shown)) }
        return writer.bytes
    }

    /// Room for a token by value and a gate token.
    private static let usualLength = 1024

    /// The format written now.
    private static let format = 2
    /// Items of format 1, which does not name itself, and of format 2.
    private static let itemCounts = (first: 7, second: 11)

    /// Reads what `encoded` wrote; nil if it is something else.
    public init?(parsing bytes: [UInt8]) {
        guard let items = try? CBOR.decode(bytes).array else { return nil }
        switch items.count {
        case Self.itemCounts.first:
            self.init(head: items[0...1], gate: nil, transcript3: items[2].bytes, rest: items[3...])
        case Self.itemCounts.second:
            guard items[0].integer == Int64(Self.format), let method = Self.method(items[1]),
                  let gate = Self.gate(items[3...6], method) else { return nil }
            self.init(head: items[1...2], gate: gate, transcript3: gate.transcript3, rest: items[7...])
        default:
            return nil
        }
    }

    /// - Parameters:
    ///   - head: method, ID_CRED_I.
    ///   - rest: CRED_I / null, EAD_3, MAC_3, Signature_or_MAC_3.
    private init?(head: ArraySlice<CBOR>, gate: GateStatement?, transcript3: [UInt8]?, rest: ArraySlice<CBOR>) {
        guard let method = head.first.flatMap({ Self.method($0) }), let identifier = head.last?.bytes,
              (try? CredentialIdentifier(map: identifier)) != nil, let transcript3 else { return nil }
        let rest = Array(rest)
        guard rest.count == 4, let credential = rest[0].isNull ? Self.value(of: identifier) : rest[0].bytes,
              let ead = rest[1].bytes, let mac = rest[2].bytes, let proof = rest[3].bytes
        else { return nil }
        self.method = method
        self.identifier = identifier
        self.gate = gate
        self.transcript3 = transcript3
        self.credential = credential
        self.ead = ead
        self.mac = mac
        self.proof = proof
    }

    private static func method(_ item: CBOR) -> EDHOCMethod? {
        item.integer.flatMap { Int(exactly: $0) }.flatMap(EDHOCMethod.init(rawValue:))
    }

    /// TH_2, PLAINTEXT_2, MAC_2, CRED_R.
    private static func gate(_ items: ArraySlice<CBOR>, _ method: EDHOCMethod) -> GateStatement? {
        let parts = items.compactMap(\.bytes)
        guard parts.count == 4 else { return nil }
        let gate = GateStatement(
            transcript2: parts[0], plaintext2: parts[1], mac2: parts[2], credential: parts[3], method: method)
        return gate.parts == nil ? nil : gate
    }

    /// TH_4 = H(TH_3, PLAINTEXT_3, CRED_I): names the whole exchange. nil if ID_CRED_I is no header map.
    public var transcript4: [UInt8]? {
        guard let named = try? CredentialIdentifier(map: identifier) else { return nil }
        let plaintext = AuthenticatedPlaintext(
            connectionIdentifier: [], identifier: named, proof: proof, eadField: ead).bytes
        return KeySchedule.transcript(after: transcript3, plaintext: plaintext, credential: credential)
    }

    /// Whether the holder of this key made the signature. Always false for a MAC.
    public func isSigned(by key: PublicKey) -> Bool {
        guard method.initiatorUsesSignature else { return false }
        let context = ProofContext(
            identifier: identifier, transcript: transcript3, credential: credential, ead: ead)
        return key.verify(proof, over: context.toBeSigned(mac: mac))
    }

    /// What the phone asked for, nil if EAD_3 is none of this profile.
    public var request: PhoneRequest? {
        items?.soleValue(PhoneProtocolProfile.phoneRequestLabel).flatMap { PhoneRequest(value: $0) }
    }

    /// A token that came beside a CCS.
    public var accompanyingToken: [UInt8]? { items?.soleValue(PhoneProtocolProfile.tokenLabel) }

    private var items: [EADItem]? { try? EADItem.decode(ead) }

    /// The credential that came by value.
    private static func value(of identifier: [UInt8]) -> [UInt8]? {
        switch (try? CredentialIdentifier(map: identifier))?.kind {
        case .token(let bytes), .claims(let bytes): bytes
        case .keyIdentifier, .other, .none: nil
        }
    }
}
