import Credentials
import Cryptography
import Encoding
import SiteRules

/// Reads the records of which a site has a million straight from their bytes: enrolled keys, memberships, and revocations.
///
/// It knows what is in order and nothing else. What it does not take, `PublicationRecord(cbor:)` reads or says what is wrong with.
struct PeopleRecordReader: Sendable {
    /// Most keys have the same scope and the same places as the one before.
    private var lastScope = Texts()
    private var lastAudiences = Texts()

    private struct Texts {
        var form: [UInt8] = []
        var texts: [String] = []
    }

    /// The next record; nil, and nothing is read, if it is none of these or not in order.
    mutating func next(_ reader: inout CBORReader) -> PublicationRecord? {
        var ahead = reader
        guard let count = ahead.nextArrayCount(), let kind = ahead.nextUnsigned() else { return nil }
        let record: PublicationRecord? = switch kind {
        case PublicationRecord.Kind.enrolled: enrolled(count, &ahead)
        case PublicationRecord.Kind.membership: membership(count, &ahead)
        case PublicationRecord.Kind.revocation: revocation(count, &ahead)
        default: nil
        }
        if record != nil { reader = ahead }
        return record
    }

    private mutating func enrolled(_ count: UInt64, _ reader: inout CBORReader) -> PublicationRecord? {
        guard count == 11 || count == 12, let identifier = reader.nextBytes(), identifier.count <= EnrolledKey.longestIdentifier,
              let use = use(&reader), let key = key(&reader), key.curve.fits(use),
              let subject = PublicationRecord.acceptable(reader.nextText()),
              let scope = Self.texts(&reader, &lastScope), !scope.isEmpty, let audiences = Self.texts(&reader, &lastAudiences),
              let notBefore = Self.time(&reader), let expiresAt = Self.time(&reader), count == 11 || reader.skip(Self.yes) else { return nil }
        return .enrolled(EnrolledKey(
            keyIdentifier: identifier, key: key, use: use, subject: subject, scope: scope, audiences: audiences, notBefore: notBefore,
            expiresAt: expiresAt, userVerification: count == 12))
    }

    private func use(_ reader: inout CBORReader) -> KeyUse? { reader.nextUnsigned().flatMap { EnrolledKey.use($0) } }

    private func key(_ reader: inout CBORReader) -> PublicKey? {
        guard let curve = reader.nextUnsigned().flatMap({ Int(exactly: $0) }).flatMap(Curve.init), let x = reader.nextBytes() else { return nil }
        let y = reader.nextBytes()
        guard (y != nil) == (curve == .p256), y != nil || reader.skip(Self.null) else { return nil }
        return try? PublicKey(curve: curve, x: x, y: y)
    }

    private func membership(_ count: UInt64, _ reader: inout CBORReader) -> PublicationRecord? {
        guard count == 3, let group = Self.name(reader.nextText()), let subject = Self.name(reader.nextText()) else { return nil }
        return .rule(.membership(Membership(group: group, subject: subject)))
    }

    private func revocation(_ count: UInt64, _ reader: inout CBORReader) -> PublicationRecord? {
        guard count == 3, let kind = reader.nextUnsigned() else { return nil }
        switch kind {
        case 3: return PublicationRecord.acceptable(reader.nextText()).map { .revocation(.subject($0)) }
        case 5: return PublicationRecord.acceptable(reader.nextText()).map { .revocation(.suspended($0)) }
        case 4:
            guard let thumbprint = reader.nextBytes(), thumbprint.count == SHA256.length else { return nil }
            return .revocation(.key(thumbprint: thumbprint))
        default: return nil
        }
    }

    // Fields -------------------------------------------------------------------------------------

    private static let null: [UInt8] = CBOR.null.encoded
    private static let yes: [UInt8] = CBOR.true.encoded

    /// A time, or that there is none; the outer nil says that it is neither.
    private static func time(_ reader: inout CBORReader) -> Int64?? {
        if reader.skip(null) { return .some(nil) }
        return reader.nextUnsigned().flatMap { Int64(exactly: $0) }.map { .some($0) }
    }

    private static func name(_ text: String?) -> String? {
        guard let text, (1...SiteRecord.longestText).contains(text.utf8.count), text.isComposed else { return nil }
        return text
    }

    private static func texts(_ reader: inout CBORReader, _ last: inout Texts) -> [String]? {
        if reader.skip(last.form) { return last.texts }
        let start = reader.offset
        guard let count = reader.nextArrayCount() else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = PublicationRecord.acceptable(reader.nextText()) else { return nil }
            texts.append(text)
        }
        last = Texts(form: Array(reader.raw(from: start)), texts: texts)
        return texts
    }
}
