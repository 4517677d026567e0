/// Options that had another name in 0.1: whoever types the old one reads the new one.
enum RenamedOption {
    /// The name of today by the one of then.
    static let names = [
        "above": "min-version", "authorities": "ca-file", "away": "gap-ms", "lines-at-rest": "lines-at-safe-level",
        "patience": "stall-timeout", "wish": "lane-request"
    ]
}
