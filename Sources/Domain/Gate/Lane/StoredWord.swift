/// Words that records of the journal have had since 0.1, and what events, status, settings and logs call the same today.
/// Records are hashed as they stand, so their words stay.
public enum StoredWord {
    private static let today = [
        "granted-not-passed": "passage-timeout", "forced-passage": "forced-entry", "reverse-passage": "wrong-way",
        "second-passage": "tailgating", "exit-request": "request-to-exit", "mains-fail": "power-fail"
    ]

    /// Today's word for one that is stored.
    public static func shown(_ stored: String) -> String { today[stored] ?? stored }

    /// The word that is stored for one of today.
    public static func stored(_ shown: String) -> String { today.first { $0.value == shown }?.key ?? shown }
}
