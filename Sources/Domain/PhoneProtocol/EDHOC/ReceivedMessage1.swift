import Cryptography

/// message_1 as the responder accepted it.
struct ReceivedMessage1 {
    let opening: EDHOCOpening
    let initiatorPoint: PublicKey
    /// H(message_1).
    let hash: [UInt8]

    init(_ message: [UInt8], methods: [EDHOCMethod], suites: [CipherSuite], staticCurve: Curve?) throws(EDHOCError) {
        let parsed = try Message1(parsing: message)
        let known = EDHOCMethod(rawValue: parsed.method).flatMap { methods.contains($0) ? $0 : nil }
        let supported = Self.supported(suites, in: known, staticCurve: staticCurve)
        // Error 2 has to name a suite.
        guard !supported.isEmpty else { throw .methodNotSupported(parsed.method) }
        let suite = try Self.select(parsed.suites, supported: supported)
        guard let method = known else { throw .methodNotSupported(parsed.method) }
        initiatorPoint = try KeyAgreement.point(parsed.point, suite.agreementCurve)
        opening = EDHOCOpening(
            method: method, suite: suite, connectionIdentifier: parsed.connectionIdentifier, ead: parsed.ead)
        hash = SHA256.hash(message)
    }

    /// The suites that can be had in a method: who agrees with a long-term key does so on that key's curve. A method that
    /// cannot be had is refused for itself.
    private static func supported(_ suites: [CipherSuite], in method: EDHOCMethod?, staticCurve: Curve?) -> [CipherSuite] {
        guard let staticCurve, let method, method != .bothSign else { return suites }
        return suites.filter { $0.agreementCurve == staticCurve }
    }

    /// The selected suite, which must be the first of the initiator's that we support (RFC 9528, 5.2.3).
    private static func select(_ offered: [Int], supported: [CipherSuite]) throws(EDHOCError) -> CipherSuite {
        let known = offered.compactMap { number in supported.first { $0.rawValue == number } }
        guard let first = known.first, let selected = offered.last, first.rawValue == selected,
              !offered.dropLast().contains(selected)
        else { throw .wrongSuite(supported: supported.map(\.rawValue)) }
        return first
    }
}
