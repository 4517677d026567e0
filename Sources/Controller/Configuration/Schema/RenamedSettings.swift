/// Settings and tables that had another name in 0.1: whoever upgrades reads the new one beside the old one.
enum RenamedSettings {
    /// The name of today by the one of then.
    static let names = [
        "plain-cards": "uid-only-cards", "plain-card": "uid-only-card", "exit-request": "request-to-exit",
        "exit-request-when-locked": "request-to-exit-when-locked", "mains-fail": "power-fail", "ble-background-rest-ms": "ble-background-cooldown-ms"
    ]
}
