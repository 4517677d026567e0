import Credentials
import Encoding

/// A token issuer as a record, alone or with its ceiling.
extension TokenIssuer {
    /// Nil for what is none.
    init?(kind: UInt64, publicationFields fields: [CBOR]) {
        guard fields.count >= 3, let name = PublicationRecord.acceptable(fields[1].text),
              let key = try? COSEKey(cbor: fields[2]).key, key.curve == .p256, COSEKey(key: key).cbor == fields[2] else { return nil }
        if kind == PublicationRecord.Kind.issuer {
            guard fields.count == 3 else { return nil }
            self.init(name: name, key: key)
        } else {
            guard let ceiling = IssuerCeiling(fields: Array(fields.dropFirst(3))) else { return nil }
            self.init(name: name, key: key, ceiling: ceiling)
        }
    }

    var record: CBOR {
        let fields: [CBOR] = [.text(name), COSEKey(key: key).cbor]
        return .array(ceiling.map { [.unsigned(PublicationRecord.Kind.boundIssuer)] + fields + $0.fields }
            ?? [.unsigned(PublicationRecord.Kind.issuer)] + fields)
    }
}

extension IssuerCeiling {
    /// The ceiling by itself, for whoever keeps it: a sequence of its fields.
    public var encoded: [UInt8] { CBOR.encodeSequence(fields) }

    /// Reads what `encoded` wrote; nil for anything else.
    public init?(encoded: [UInt8]) {
        guard let fields = try? CBOR.decodeSequence(encoded) else { return nil }
        self.init(fields: fields)
    }

    init?(fields: [CBOR]) {
        guard fields.count == 7, let commands = PublicationRecord.texts(fields[0]), let audiences = PublicationRecord.texts(fields[1]),
              let schedule = Ceiling.optional(fields[2], { PublicationRecord.acceptable($0.text) }), let longest = fields[3].integer, longest > 0,
              let userVerification = fields[4].bool, let until = Ceiling.optional(fields[5], \.integer), until.map({ (0...SitePublication.latestTime).contains($0) }) ?? true,
              let isOff = fields[6].bool else { return nil }
        self.init(commands: commands, audiences: audiences, schedule: schedule, longest: longest, userVerification: userVerification, until: until,
                  isOff: isOff)
    }

    var fields: [CBOR] {
        [.array(commands.map(CBOR.text)), .array(audiences.map(CBOR.text)), schedule.map(CBOR.text) ?? .null, CBOR(longest), CBOR(userVerification),
         until.map { CBOR($0) } ?? .null, CBOR(isOff)]
    }
}
