import Cryptography
import Encoding

/// An X.509 certificate of version 3 (RFC 5280, 4.1) as chains of attestations have it.
struct Certificate {
    /// Bytes of a certificate; those of phones have up to 2,600.
    static let longest = 8192

    /// What is signed, as it stands there.
    let signed: [UInt8]
    /// How it is signed; nil for an algorithm that is not taken.
    let algorithm: CertificateAlgorithm?
    /// The issuer's signature over `signed`.
    let signature: [UInt8]
    /// Its number, without zeros before it.
    let serial: [UInt8]
    /// Names as they stand there (RFC 5280, 4.1.2.4).
    let issuer: [UInt8]
    let subject: [UInt8]
    /// What stands in its validity; nobody asks a leaf for it.
    let validity: ArraySlice<UInt8>
    /// The SubjectPublicKeyInfo as it stands there.
    let keyInformation: [UInt8]
    let extensions: CertificateExtensions

    /// Reads a certificate with nothing behind it.
    /// - Parameter number: what faults call it.
    init(_ bytes: [UInt8], number: Int) throws(AttestationFault) {
        guard bytes.count <= Self.longest else { throw .certificateTooLong(number: number) }
        var file = DERReader(bytes)
        guard var outer = file.readSequence(), file.isAtEnd, let signed = outer.readWhole(.sequence),
              let algorithm = outer.readWhole(.sequence), let signature = outer.readBitString(), outer.isAtEnd else {
            throw .certificateMalformed(number: number)
        }
        var signedFile = DERReader(signed)
        guard var inner = signedFile.readSequence(), inner.read(exactly: Self.version3), let serial = inner.readPositive(),
              inner.read(exactly: algorithm), let issuer = inner.readWhole(.sequence), let validity = inner.read(.sequence),
              let subject = inner.readWhole(.sequence), let keyInformation = inner.readWhole(.sequence),
              let extensions = inner.isAtEnd ? CertificateExtensions() : inner.read(.context(3)).flatMap({ CertificateExtensions($0) }),
              inner.isAtEnd else {
            throw .certificateMalformed(number: number)
        }
        self.signed = signed
        self.algorithm = CertificateAlgorithm(algorithmIdentifier: algorithm)
        self.signature = Array(signature)
        self.serial = serial
        self.issuer = issuer
        self.validity = validity
        self.subject = subject
        self.keyInformation = keyInformation
        self.extensions = extensions
    }

    /// [0] { INTEGER 2 }
    private static let version3: [UInt8] = [0xA0, 0x03, 0x02, 0x01, 0x02]
}

extension Certificate {
    /// From when until when it holds, in UNIX seconds, both of them included (RFC 5280, 4.1.2.5); nil where it is not written so.
    var period: ClosedRange<Int64>? {
        var file = DERReader(validity)
        guard let first = Self.readTime(&file), let last = Self.readTime(&file), file.isAtEnd, first <= last else { return nil }
        return first...last
    }

    private static func readTime(_ file: inout DERReader) -> Int64? {
        if let short = file.read(.utcTime) {
            guard short.count == 13, let tens = short.first else { return nil }
            // Two digits: from 1950 to 2049.
            return time((tens < UInt8(ascii: "5") ? "20" : "19") + String(decoding: short, as: UTF8.self))
        }
        return file.read(.generalizedTime).flatMap { time(String(decoding: $0, as: UTF8.self)) }
    }

    /// `20250131083000Z`
    private static func time(_ text: String) -> Int64? {
        let digits = Array(text.utf8)
        guard digits.count == 15 else { return nil }
        let parts = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<12], digits[12...]].map { String(decoding: $0, as: UTF8.self) }
        return UTCText.readSeconds("\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])")
    }

    /// What the first attribute of a kind in the subject's name says (X.520), such as an organisation; nil where there is none.
    func subjectAttribute(_ kind: NameAttribute) -> [UInt8]? {
        var file = DERReader(subject)
        guard var name = file.readSequence() else { return nil }
        while let part = name.read(.set) {
            var attributes = DERReader(part)
            while var attribute = attributes.readSequence() {
                guard let identifier = attribute.read(.objectIdentifier), let value = attribute.readAny() else { return nil }
                if identifier.elementsEqual(kind.identifier) { return Array(value.content) }
            }
        }
        return nil
    }
}

/// Parts of names that say something about chains of attestations.
enum NameAttribute: UInt8 {
    case serialNumber = 5
    case organisation = 10

    /// 2.5.4 and its number.
    var identifier: [UInt8] { [0x55, 0x04, rawValue] }
}
