import Configuration
import Foundation
import SiteFile

/// Texts the tests start from.
enum SiteFileFixture {
    /// One of everything.
    static let whole = """
        time-zone = "Europe/Berlin"
        [[holiday]]
        name = "public"
        dates = ["12-25", "2026-04-03", "2026-08-03 to 2026-08-21"]
        [[schedule]]
        name = "office"
        week = ["Mon-Fri 07:00-12:00, 13:00-19:00", "Sat 22:00-06:00"]
        holidays = ["public 10:00-14:00"]
        open = ["2026-05-04 18:00-22:00"]
        closed = ["2026-12-24", "2026-05-09 22:00 to 2026-05-10 08:00 priority 5"]
        [[group]]
        name = "staff"
        members = ["ben", "anna"]
        [[group]]
        name = "board"
        [[rule]]
        group = "staff"
        lanes = ["entry"]
        schedule = "office"
        [[rule]]
        group = "board"
        [[zone]]
        name = "hall"
        passback = "timed"
        minutes = 30
        reset = "03:00"
        exempt = ["board"]
        capacity = 200
        [[lane]]
        name = "entry"
        [[lane.plan]]
        schedule = "office"
        mode = "free-passage"
        direction = "in"
        priority = 2
        [[lane.plan]]
        mode = "locked-down"
        [[person]]
        subject = "carla"
        key = "04bbd02bd3aff45c64d0ba178c460a75ef695565a9b0aa2329236ebc3eb21a019c9a347b3ab78ec03274db38a1d812304b5ec8beeb8ff6da8f237260c713761270"
        groups = ["board"]
        places = ["tapstile:north/hall"]
        expires = 2030-01-31T08:00:00Z
        user-verified = true
        [[revocation]]
        subject = "mallory"
        """

    static func load(_ text: String, folder: String = ".", in context: SiteFileContext = SiteFileContext(hasPeople: true))
        throws(InvalidSiteFile) -> LoadedSite {
        try SiteFile.parse(Array(text.utf8), name: "site.toml", folder: folder, in: context)
    }

    static func issues(_ text: String, folder: String = ".", in context: SiteFileContext = SiteFileContext(hasPeople: true)) -> [ConfigurationIssue] {
        do throws(InvalidSiteFile) {
            return try load(text, folder: folder, in: context).warnings
        } catch {
            return error.issues
        }
    }

    /// `line:column code` of each.
    static func marks(_ text: String, in context: SiteFileContext = SiteFileContext(hasPeople: true)) -> [String] {
        issues(text, in: context).map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.code)" }
    }
}
