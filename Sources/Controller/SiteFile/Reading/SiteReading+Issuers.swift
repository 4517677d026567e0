import Configuration
import Credentials
import Spelling

/// Whose tokens count, and the most that they may say.
extension SiteReading {
    /// An issuer of the file with its place.
    struct Issuer {
        let issuer: TokenIssuer
        let place: TableReading
    }

    /// On a gate that stands alone. One of which the file says nothing else is bound by nothing.
    mutating func issuers() -> [Issuer] {
        guard context.hasPeople else { return [] }
        return tables(SiteSchema.issuer.name).compactMap { table -> Issuer? in
            let found = key(of: table, role: .tokenIssuer), ceiling = ceiling(of: table)
            guard let name = table.text("name"), let found else { return nil }
            let isBound = SiteSchema.boundsOfIssuers.contains { table.present.contains($0.name) }
            return Issuer(issuer: TokenIssuer(name: name, key: found.key, ceiling: isBound ? ceiling : nil), place: table)
        }
    }

    /// By the issuers' names, in the office: it has their keys.
    mutating func issuerCeilings() -> [String: IssuerCeiling] {
        guard !context.hasPeople else { return [:] }
        var ceilings: [String: IssuerCeiling] = [:]
        for table in tables(SiteSchema.issuer.name) {
            for key in SiteSchema.keys where table.present.contains(key.name) {
                issues.error("not-for-an-authority", at: table.position(of: key.name),
                             "\(table.path).\(key.name): the office has the key of an issuer from the command issuer --add.")
            }
            let ceiling = ceiling(of: table)
            guard let name = table.text("name") else { continue }
            checkIssuer(name, at: table.position(of: "name"))
            ceilings[name] = ceiling
        }
        return ceilings
    }

    private mutating func ceiling(of table: TableReading) -> IssuerCeiling {
        IssuerCeiling(
            commands: commands(of: table), audiences: places(of: table), schedule: schedule(of: table),
            longest: (table.integer("longest-hours").map(Int64.init) ?? SiteSchema.usualHours) * 3600, userVerification: table.flag("user-verified") ?? false,
            until: seconds("until", of: table), isOff: table.flag("off") ?? false)
    }

    /// A ceiling under a name that was mistyped binds nobody, byte by byte: the issuer that was meant would have none.
    private mutating func checkIssuer(_ name: String, at position: TextPosition) {
        guard let known = context.issuers, !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return }
        issues.error("unknown-issuer", at: position, "This office has no token issuer \"\(name)\" (tapstile-authority list issuers).",
                     suggestion: NearestName.find(name, among: known))
    }
}
