import Credentials

/// The zones of a site that records of people concern: what a gate needs that keeps no more than its own.
public enum ConcernedZones {
    /// Stands for what concerns the whole site, beside the names of zones.
    public static let wholeSite = ""

    /// The zones that a record concerns; none where no gate could ever let anybody in by it.
    ///
    /// Whom a token names is known at the tap and not before, and so what is taken back and who belongs to which group concern the
    /// whole site.
    public static func of(_ record: PublicationRecord, site: String) -> Set<String> {
        switch record {
        case .enrolled(let key): of(audiences: key.audiences, site: site)
        case .uidOnlyCard(let card): of(audiences: card.audiences, site: site)
        case .revocation, .rule, .issuer, .gateCredential, .ceiling, .word: [wholeSite]
        }
    }

    /// The zones in which lie the places that these audiences cover (`Place`). Without any it is the whole site.
    public static func of(audiences: [String], site: String) -> Set<String> {
        guard !audiences.isEmpty else { return [wholeSite] }
        let whole = Array((Place.scheme + site).utf8)
        var zones: Set<String> = []
        for audience in audiences where audience.utf8.starts(with: whole) {
            let rest = audience.utf8.dropFirst(whole.count)
            if rest.isEmpty { return [wholeSite] }
            guard rest.first == UInt8(ascii: "/") else { continue }
            if let zone = name(rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }) { zones.insert(zone) }
        }
        return zones
    }

    /// Gates name their zones in ASCII, so that no other name is that of a gate's zone.
    private static func name(_ bytes: some Collection<UInt8>) -> String? {
        bytes.isEmpty || !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
