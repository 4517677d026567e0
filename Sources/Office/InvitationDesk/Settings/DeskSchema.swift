import Configuration
import Credentials

/// What may stand in `settings.toml`.
enum DeskSchema {
    private static let listenWords = "an address with a port such as \"127.0.0.1:8443\", or \"unix:/PATH\""

    static let root = SettingTable("", .single, "The server of invitations.", settings: [
        Setting("site", .identifier(maximum: 64), .required, "the site's name, as in its site data."),
        Setting("issuer", .name(maximum: 64), .required, "the name under which the office knows this server's key."),
        Setting("url", .webAddress(maximum: 200), .required, "what links begin with."),
        Setting("listen", .text(maximum: 200), .required, "where visitors are listened to: \(listenWords)."),
        Setting("certificate", .text(maximum: 4096), .optional, "the certificate chain, PEM."),
        Setting("key", .text(maximum: 4096), .optional, "its private key, PEM."),
        Setting("gates", .text(maximum: 4096), .required, "the office's gates.phone."),
        Setting("token-valid", .text(maximum: 16), .standard(.text("24h")), "for how long a token is valid at most: \"30m\", \"24h\", \"7d\"."),
        Setting("services", .texts(maximum: 36), .optional, "the UUIDs by which gates are found."),
        Setting("languages", .texts(maximum: 35), .optional, "the languages of visitors, the first choice first."),
        Setting("pages", .text(maximum: 4096), .optional, "the folder of the page for visitors.")
    ], tables: [
        SettingTable("message", .list(minimum: 0), "The site's own words for a reason.", settings: [
            Setting("language", .text(maximum: 35), .required, "the language of the text."),
            Setting("reason", .choice(Reason.allCases.map(\.rawValue)), .required, "the reason."),
            Setting("text", .text(maximum: 200), .required, "what visitors read.")
        ]),
        SettingTable("attestation", .optional, "Which attestations of Android keys show user verification.", settings: [
            Setting("applications", .texts(maximum: 255), .required, "the package names of the site's apps."),
            Setting("signers", .texts(maximum: 95), .required, "SHA-256 of the certificates that sign those apps, in hexadecimal."),
            Setting("roots", .texts(maximum: 95), .standard(.texts(["google"])), "google, or SHA-256 of the keys of roots."),
            Setting("longest-timeout", .integer(1...3600), .standard(.integer(60)), "seconds after user verification for which a key may sign."),
            Setting("strongbox", .flag, .standard(.flag(false)), "only keys in a StrongBox count."),
            Setting("revoked", .text(maximum: 4096), .optional, "Google's list of certificates that were taken back.")
        ]),
        SettingTable("operator", .optional, "The page of operators.", settings: [
            Setting("url", .webAddress(maximum: 200), .required, "what its addresses begin with: another host or port than visitors have."),
            Setting("listen", .text(maximum: 200), .required, "where operators are listened to: \(listenWords)."),
            Setting("certificate", .text(maximum: 4096), .optional, "the certificate chain, PEM."),
            Setting("key", .text(maximum: 4096), .optional, "its private key, PEM."),
            Setting("client-ca", .text(maximum: 4096), .optional, "who signs certificates of operators' browsers, PEM.")
        ])
    ])
}
