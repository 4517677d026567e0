import Credentials
import Cryptography
import Encoding
import SiteRules

extension PublicationRecord {
    /// Why an item is no record.
    enum Fault: Error { case malformed, unknownKind }

    /// The longest subject, name, command or audience in bytes.
    static let longestText = 256

    init(cbor: CBOR) throws(Fault) {
        guard let fields = cbor.array, let kind = fields.first?.unsignedInteger else { throw .malformed }
        switch kind {
        case Kind.issuer, Kind.boundIssuer: self = .issuer(try Self.checked(TokenIssuer(kind: kind, publicationFields: fields)))
        case Kind.gateCredential: self = try Self.gateCredential(fields)
        case Kind.enrolled: self = .enrolled(try EnrolledKey(publicationFields: fields))
        case Kind.revocation: self = .revocation(try Revocation(publicationFields: fields))
        case Kind.uidOnlyCard: self = .uidOnlyCard(try UIDOnlyCard(publicationFields: fields))
        case Kind.ceiling: self = .ceiling(try Self.checked(Ceiling(fields: fields)))
        case Kind.message: self = .message(try Self.checked(SiteMessage(fields: fields)))
        default: self = .rule(try Self.rule(cbor))
        }
    }

    private static func rule(_ cbor: CBOR) throws(Fault) -> SiteRecord {
        do throws(SiteRecordError) {
            return try SiteRecord(cbor: cbor)
        } catch {
            switch error {
            case .malformed: throw .malformed
            case .unknownKind: throw .unknownKind
            }
        }
    }

    private static func checked<Value>(_ value: Value?) throws(Fault) -> Value {
        guard let value else { throw .malformed }
        return value
    }

    private static func gateCredential(_ fields: [CBOR]) throws(Fault) -> PublicationRecord {
        guard fields.count == 2, let raw = fields[1].bytes, !raw.isEmpty else { throw .malformed }
        return .gateCredential(raw)
    }

    /// A name has one form, the composed one: two that look the same would be two people.
    static func acceptable(_ text: String?) -> String? {
        guard let text, (1...longestText).contains(text.utf8.count), text.isComposed else { return nil }
        return text
    }

    static func texts(_ field: CBOR) -> [String]? {
        guard let items = field.array else { return nil }
        let texts = items.compactMap { acceptable($0.text) }
        return texts.count == items.count ? texts : nil
    }

    fileprivate static func time(_ field: CBOR) throws(Fault) -> Int64? {
        if field.isNull { return nil }
        guard let time = field.integer, time >= 0 else { throw .malformed }
        return time
    }
}

extension UIDOnlyCard {
    fileprivate init(publicationFields fields: [CBOR]) throws(PublicationRecord.Fault) {
        guard fields.count == 6, let bytes = fields[1].bytes, let number = try? UIDOnlyCardNumber(bytes),
              let subject = PublicationRecord.acceptable(fields[2].text), let audiences = PublicationRecord.texts(fields[3]) else {
            throw .malformed
        }
        self.init(number: number, subject: subject, audiences: audiences, notBefore: try PublicationRecord.time(fields[4]),
                  expiresAt: try PublicationRecord.time(fields[5]))
    }
}

extension EnrolledKey {
    /// The longest `kid` in bytes.
    static let longestIdentifier = 64

    fileprivate init(publicationFields fields: [CBOR]) throws(PublicationRecord.Fault) {
        let isAttested = fields.count == 12 && fields[11].bool == true
        guard fields.count == 11 || isAttested, let identifier = fields[1].bytes, identifier.count <= Self.longestIdentifier,
              let use = Self.use(fields[2].unsignedInteger), let subject = PublicationRecord.acceptable(fields[6].text),
              let scope = PublicationRecord.texts(fields[7]), !scope.isEmpty,
              let audiences = PublicationRecord.texts(fields[8]) else {
            throw .malformed
        }
        let key = try Self.key(curve: fields[3], x: fields[4], y: fields[5])
        guard key.curve.fits(use) else { throw .malformed }
        self.init(keyIdentifier: identifier, key: key, use: use, subject: subject, scope: scope, audiences: audiences,
                  notBefore: try PublicationRecord.time(fields[9]), expiresAt: try PublicationRecord.time(fields[10]),
                  userVerification: isAttested)
    }

    static func use(_ number: UInt64?) -> KeyUse? {
        switch number {
        case 1: .sign
        case 2: .agree
        default: nil
        }
    }

    private static func key(curve: CBOR, x: CBOR, y: CBOR) throws(PublicationRecord.Fault) -> PublicKey {
        guard let curve = curve.integer.flatMap({ Int(exactly: $0) }).flatMap(Curve.init), let x = x.bytes,
              y.isNull == (curve != .p256), y.isNull || y.bytes != nil,
              let key = try? PublicKey(curve: curve, x: x, y: y.bytes) else { throw .malformed }
        return key
    }
}

extension Revocation {
    fileprivate init(publicationFields fields: [CBOR]) throws(PublicationRecord.Fault) {
        guard fields.count >= 3, let kind = fields[1].unsignedInteger else { throw .malformed }
        switch (kind, fields.count) {
        case (1, 3):
            guard let identifier = fields[2].bytes.flatMap({ TokenIdentifier($0) }) else { throw .malformed }
            self = .token(identifier)
        case (2, 4):
            guard let issuer = PublicationRecord.acceptable(fields[2].text), let cti = fields[3].bytes,
                  !cti.isEmpty else { throw .malformed }
            self = .issued(issuer: issuer, cti: cti)
        case (3, 3):
            guard let subject = PublicationRecord.acceptable(fields[2].text) else { throw .malformed }
            self = .subject(subject)
        case (4, 3):
            guard let thumbprint = fields[2].bytes, thumbprint.count == SHA256.length else { throw .malformed }
            self = .key(thumbprint: thumbprint)
        case (5, 3):
            guard let subject = PublicationRecord.acceptable(fields[2].text) else { throw .malformed }
            self = .suspended(subject)
        case (6, 3):
            guard let issuer = PublicationRecord.acceptable(fields[2].text) else { throw .malformed }
            self = .issuer(issuer)
        default:
            throw .malformed
        }
    }
}
