import Encoding

/// The extensions of a certificate that count for a chain of attestations (RFC 5280, 4.2).
struct CertificateExtensions {
    /// Whether it may sign certificates; nil where it does not say. A certificate that is no authority says no more than that.
    private(set) var isAuthority: Bool?
    /// How many authorities may stand between it and a leaf; nil for any number.
    private(set) var pathLength: Int64?
    /// Whether its key may sign certificates; nil where it does not say.
    private(set) var keySignsCertificates: Bool?
    /// What it attests of its key, as it stands there.
    private(set) var attestation: [UInt8]?
    /// Whether it attests its key in Android's other form (CBOR), which is not read.
    private(set) var hasOtherAttestation = false
    /// Whether there is a critical extension that is not understood here.
    private(set) var hasUnknownCritical = false

    /// None.
    init() {}

    /// Reads what stands in [3]; nil if it is malformed, or if an extension is there twice.
    init?(_ content: ArraySlice<UInt8>) {
        var file = DERReader(content)
        guard var list = file.readSequence(), file.isAtEnd else { return nil }
        var seen: Set<[UInt8]> = []
        while !list.isAtEnd {
            guard var one = list.readSequence(), let identifier = one.read(.objectIdentifier).map(Array.init),
                  let isCritical = Self.readCritical(&one), let value = one.read(.octetString), one.isAtEnd,
                  seen.insert(identifier).inserted, adopt(identifier, Array(value), isCritical: isCritical) else { return nil }
        }
    }

    /// Whether an extension is critical; false is not written (X.690, 11.5).
    private static func readCritical(_ file: inout DERReader) -> Bool? {
        guard file.begins(with: .boolean) else { return false }
        return file.readBoolean() == true ? true : nil
    }

    /// - Returns: false for an extension that is malformed.
    private mutating func adopt(_ identifier: [UInt8], _ value: [UInt8], isCritical: Bool) -> Bool {
        switch identifier {
        case Self.basicConstraints:
            return adopt(basicConstraints: value)
        case Self.keyUsage:
            return adopt(keyUsage: value)
        case Self.keyDescription:
            attestation = value
        case Self.otherAttestation:
            hasOtherAttestation = true
        default:
            if isCritical { hasUnknownCritical = true }
        }
        return true
    }

    /// SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }. Certificates of 2016 write FALSE.
    private mutating func adopt(basicConstraints value: [UInt8]) -> Bool {
        var file = DERReader(value)
        guard var inner = file.readSequence(), file.isAtEnd else { return false }
        isAuthority = false
        if inner.begins(with: .boolean) {
            guard let isAuthority = inner.readBoolean() else { return false }
            self.isAuthority = isAuthority
        }
        if !inner.isAtEnd {
            guard let length = inner.readNumber() else { return false }
            pathLength = length
        }
        return inner.isAtEnd
    }

    /// A string of bits of which the sixth is keyCertSign.
    private mutating func adopt(keyUsage value: [UInt8]) -> Bool {
        var file = DERReader(value)
        guard let bits = file.read(.bitString), file.isAtEnd, let unused = bits.first, unused < 8, bits.count > 1 else { return false }
        keySignsCertificates = bits[bits.startIndex + 1] & 0x04 != 0
        return true
    }

    private static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
    private static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
    /// 1.3.6.1.4.1.11129.2.1.17 and 1.3.6.1.4.1.11129.2.1.25.
    private static let keyDescription: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x01, 0x11]
    private static let otherAttestation: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x01, 0x19]
}
