import Configuration
import Credentials
import TrustSync

/// The most that people may be given.
extension SiteReading {
    mutating func ceiling() -> Ceiling? {
        guard let table = root.tables[SiteSchema.ceiling.name] else { return nil }
        guard !context.hasPeople else {
            issues.error("only-for-an-authority", at: table.position,
                         "[\(SiteSchema.ceiling.name)] bounds what an authority gives people; on this gate they stand in the file itself.")
            return nil
        }
        return Ceiling(
            commands: commands(of: table), audiences: places(of: table),
            groups: table.present.contains("groups") ? distinct("groups", in: table).map(\.text) : nil,
            longest: table.integer("longest-days").map { Int64($0) * 86_400 }, uidOnlyCards: table.flag("uid-only-cards") ?? false,
            userVerification: table.flag("user-verified") ?? true)
    }
}
