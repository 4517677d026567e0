import Configuration
import Credentials
import SiteRules
import Vocabulary

/// Every table and key of a site's file. The reader, the suggestions for unknown keys and docs/site.md come from here.
public enum SiteSchema {
    /// The longest name of a group, a schedule, a zone or a kind of holiday, in bytes.
    static let longestName = 64

    /// The document.
    package static let root = SettingTable("", .single, "", settings: [timeZone], tables: [
        holiday, schedule, group, rule, zone, lane, message, ceiling, person, uidOnlyCard, issuer, revocation
    ])

    /// The tables that speak of people. An authority has commands for these.
    static let tablesOfPeople = [person, uidOnlyCard]

    private static let timeZone = Setting(
        "time-zone", .text(maximum: TimeZoneName.longest), .optional,
        "The site's time zone as the tz database names it (`Europe/Berlin`). Schedules and daily resets go by it.")

    private static let holiday = SettingTable("holiday", .list(minimum: 0), "Days of one kind, on which schedules may differ.", settings: [
        Setting("name", .identifier(maximum: longestName), .required, "The kind of holiday, as schedules name it."),
        Setting("dates", .texts(maximum: 64), .required,
                "`12-25` every year, `2026-04-03` once, `2026-08-03 to 2026-08-21` with both ends.")
    ])

    private static let schedule = SettingTable("schedule", .list(minimum: 0), "When something holds, by the site's clock.", settings: [
        Setting("name", .identifier(maximum: longestName), .required, "Its name, as rules, plans and lanes name it."),
        Setting("week", .texts(maximum: 128), .optional,
                "Days and times: `Mon-Fri 07:00-12:00, 13:00-19:00`, `Sat,Sun`; `22:00-06:00` ends on the next day."),
        Setting("holidays", .texts(maximum: 128), .optional,
                "Kinds of holidays with their times instead of the week's: `half-day 08:00-12:00`; `public` alone: none. Of two on one day the first counts."),
        Setting("open", .texts(maximum: 64), .optional,
                "In force once, whatever week and holidays say: `2026-05-04 18:00-22:00`, `2026-05-04`, `2026-05-04 18:00 to 2026-05-06 08:00`."),
        Setting("closed", .texts(maximum: 64), .optional,
                "Not in force once, in the same words. Where both say something `closed` counts, unless one has a `priority 1` or more at its end.")
    ])

    private static let group = SettingTable("group", .list(minimum: 0), "People of whom a rule or a zone speaks.", settings: [
        Setting("name", .identifier(maximum: longestName), .required, "Its name."),
        Setting("members", .names(maximum: 256), .optional, "Subjects of tokens or enrolled keys."),
        Setting("members-file", .text(maximum: 4096), .optional,
                "A file with one subject a line, for many of them; a path is relative to this file's folder.")
    ])

    private static let rule = SettingTable(
        "rule", .list(minimum: 0), "A group may pass. Who is in a group of any rule needs one that is in force; all others need none.", settings: [
            Setting("group", .identifier(maximum: longestName), .required, "The group."),
            Setting("lanes", .names(maximum: 32), .optional, "The lanes; without it every lane."),
            Setting("schedule", .identifier(maximum: longestName), .optional, "When; without it at all times.")
        ])

    private static let zone = SettingTable("zone", .list(minimum: 0), "A part of the site that one goes into and out of.", settings: [
        Setting("name", .identifier(maximum: longestName), .required, "Its name, as `zone` of a lane has it."),
        Setting("passback", .choice(PassbackMode.words), .standard(.text("off")),
                "Who has gone in and wants to go in again: `soft` notes it, `hard` refuses, `timed` refuses for `minutes`."),
        Setting("minutes", .integer(PassbackMode.minutes), .optional, "For `timed`: after so long they may."),
        Setting("reset", .text(maximum: 5), .optional, "The time of day (`03:00`) at which everybody counts as gone."),
        Setting("exempt", .names(maximum: longestName), .optional, "Groups that anti-passback does not bind."),
        Setting("capacity", .integer(ZoneRule.capacities), .optional, "How many people may be inside; without it any number.")
    ])

    private static let plan = SettingTable("plan", .list(minimum: 1), "While a schedule is in force, the lane has a mode.", settings: [
        Setting("schedule", .identifier(maximum: longestName), .optional, "The schedule; without it whenever no other entry counts."),
        Setting("mode", .choice(LaneMode.allCases.map(\.rawValue)), .required, "The mode."),
        Setting("direction", .choice(Direction.allCases.map(\.rawValue)), .optional,
                "The direction of free passage or of a way held open; without it that of the lane's own settings."),
        Setting("priority", .integer(LanePlanEntry.priorities), .standard(.integer(0)),
                "Of several whose schedules are in force the highest counts.")
    ])

    private static let lane = SettingTable("lane", .list(minimum: 0), "The modes of a lane by schedule.", settings: [
        Setting("name", .identifier(maximum: 32), .required, "The lane's name.")
    ], tables: [plan])

    /// The most that people may be given by whoever enrols them. A gate that stands alone has nobody who could give more.
    static let ceiling = SettingTable(
        "people", .optional,
        "The most that people may be given by an authority, which publishes nothing that exceeds it. In a repository keys offline sign it, and gates "
            + "refuse more. Not on stand-alone gates.",
        settings: [
            Setting("commands", .names(maximum: 32), .standard(.texts(["tokn"])), "The commands."),
            Setting("places", .names(maximum: 256), .optional, "Where: `tapstile:SITE/ZONE/LANE`, with all that lies below; without it the whole site."),
            Setting("groups", .names(maximum: 256), .optional, "The groups to which somebody may belong; without it all."),
            Setting("longest-days", .integer(1...3650), .optional, "Every right ends so many days after it is published at the latest; without it none need end."),
            Setting("uid-only-cards", .flag, .standard(.flag(false)), "Whether there may be UID-only cards."),
            Setting("user-verified", .flag, .standard(.flag(true)), "Whether keys may be called released only after user verification.")
        ])

    static let keys = [
        Setting("key", .text(maximum: 130), .optional, "The public key: an uncompressed point of P-256 (04, x, y) in hexadecimal."),
        Setting("key-file", .text(maximum: 4096), .optional, "The same as a file; a path is relative to this file's folder.")
    ]

    private static let person = SettingTable(
        "person", .list(minimum: 0), "A key that opens by itself, without a token. On stand-alone gates only.", settings: [
            Setting("subject", .name(maximum: 256), .required, "The person or account.")
        ] + keys + [
            Setting("use", .choice(["sign", "agree"]), .optional, "What the key does, where its file does not say it; without it the key signs."),
            Setting("kid", .text(maximum: 128), .optional, "How the phone names the key, in hexadecimal; without it from its thumbprint."),
            Setting("groups", .names(maximum: longestName), .optional, "The person's groups."),
            Setting("commands", .names(maximum: 32), .standard(.texts(["tokn"])), "What the key may ask for."),
            Setting("places", .names(maximum: 256), .optional, "Where: `tapstile:SITE/ZONE/LANE`; without it the whole site."),
            Setting("not-before", .time, .optional, "The first moment."),
            Setting("expires", .time, .optional, "The first moment at which it is over."),
            Setting("user-verified", .flag, .standard(.flag(false)), "Whether the phone releases the key only after user verification.")
        ])

    private static let uidOnlyCard = SettingTable(
        "uid-only-card", .list(minimum: 0), "A card that is known by its number alone, for lanes with `uid-only-cards = true`. On stand-alone gates only.",
        settings: [
            Setting("uid", .text(maximum: 20), .required,
                    "The card's number in hexadecimal: 4, 7 or 10 bytes. One of 4 that begins with `08` is random and refused."),
            Setting("subject", .name(maximum: 256), .required, "The person or account."),
            Setting("groups", .names(maximum: longestName), .optional, "The person's groups."),
            Setting("places", .names(maximum: 256), .optional, "Where: `tapstile:SITE/ZONE/LANE`; without it the whole site."),
            Setting("not-before", .time, .optional, "The first moment."),
            Setting("expires", .time, .optional, "The first moment at which it is over.")
        ])

    /// How many hours a token may last where nothing is said.
    static let usualHours = IssuerCeiling.usualLongest / 3600

    /// The most that tokens of an issuer may say.
    static let boundsOfIssuers = [
        Setting("commands", .names(maximum: 32), .standard(.texts(["tokn"])), "The commands that a token may name."),
        Setting("places", .names(maximum: 256), .optional, "Where: `tapstile:SITE/ZONE/LANE`, with all that lies below; without it anywhere."),
        Setting("schedule", .identifier(maximum: longestName), .optional, "When its tokens open; without it at all times."),
        Setting("longest-hours", .integer(1...87_600), .standard(.integer(usualHours)), "How long a token may last, from `nbf` to `exp`."),
        Setting("user-verified", .flag, .standard(.flag(false)), "Whether a token may claim user verification (`uv`)."),
        Setting("until", .time, .optional, "The first moment at which no token of the issuer counts."),
        Setting("off", .flag, .standard(.flag(false)), "No token of the issuer counts.")
    ]

    static let issuer = SettingTable(
        "issuer", .list(minimum: 0),
        "Whose tokens count, and the most that these may say. In an office the key comes with `issuer --add`; keys offline sign the rest. On a stand-alone gate the "
            + "key stands here, and an issuer of which nothing else is said is bound by nothing.",
        settings: [Setting("name", .name(maximum: 256), .required, "The name that its tokens carry.")] + keys + boundsOfIssuers)

    private static let message = SettingTable(
        "message", .list(minimum: 0), "What people are to be shown at a screen when a presentation ends for a reason, once for each language.", settings: [
            Setting("reason", .text(maximum: 64), .required, "The reason, as journal and events have it: `granted`, `expired`, `lane-closed`."),
            Setting("language", .text(maximum: 35), .required, "The language as RFC 5646 writes it: `de`, `en-GB`."),
            Setting("text", .text(maximum: 512), .required, "The text.")
        ])

    private static let revocation = SettingTable(
        "revocation", .list(minimum: 0), "What was revoked: exactly one of these. In a repository it is signed offline, and nobody who signs people can undo it.", settings: [
            Setting("subject", .text(maximum: 256), .optional, "Everything of a person or account."),
            Setting("key", .text(maximum: 64), .optional, "A key, by its thumbprint in hexadecimal."),
            Setting("token", .text(maximum: 64), .optional, "A token, by its identifier in hexadecimal."),
            Setting("issued", .text(maximum: 400), .optional, "A token by its issuer's number of it: `ISSUER:CTI`, the number in hexadecimal."),
            Setting("issuer", .text(maximum: 256), .optional, "Every token of an issuer.")
        ])
}

/// The reference of a site's file as Markdown: the end of docs/site.md.
public enum SiteReference {
    /// Where the generated part begins in docs/site.md.
    public static let marker = "<!-- From here on made from the schema: SiteReference. -->"

    /// One section a table, one row a key.
    public static var markdown: String { ConfigurationReference.markdown(of: SiteSchema.root, after: marker) }
}
