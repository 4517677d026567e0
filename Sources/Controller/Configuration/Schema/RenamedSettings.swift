/// Settings and tables that had another name in 0.1: whoever upgrades reads the new one beside the old one.
enum RenamedSettings {
    /// The name of today by the one of then.
    static let names = [
        "plain-cards": "uid-only-cards", "plain-card": "uid-only-card", "exit-request": "request-to-exit",
        "exit-request-when-locked": "request-to-exit-when-locked", "mains-fail": "power-fail", "ble-background-rest-ms": "ble-background-cooldown-ms",
        "lights": "indicators", "word": "message"
    ]

    /// Settings that are gone, by table and name, with what to write in their place.
    static let gone = [
        "trust.site-key": "single files of site data are not taken any more. Write root = \"/etc/tapstile/keys/root.json\" in its place, bring that file from "
            + "the office (`tapstile-authority publish init` makes metadata/1.root.json), restart, and bring a copy of the repository: sudo tapstile import FOLDER"
    ]
}
