/// What `[gate]` says of keys that come and go.
extension CrossChecks {
    /// Every key has a file of its own: a key signs or agrees, never both, and the next one is another one.
    mutating func checkKeyFiles() {
        guard let gate = root.tables["gate"] else { return }
        var first: [String: String] = [:]
        for name in ["signing-key", "agreement-key", "next-signing-key", "next-agreement-key"] {
            guard let path = gate.text(name) else { continue }
            if let earlier = first[path] {
                issues.error("key-used-twice", at: gate.position(of: name),
                             "gate.\(name) is the same file as gate.\(earlier); a key signs or agrees, never both, and the next one is another one.")
            } else {
                first[path] = name
            }
        }
    }

    /// The next key follows one, at a date; a credential belongs to a key.
    mutating func checkRotation() {
        guard let gate = root.tables["gate"] else { return }
        let isNamed = gate.present.contains
        let next = ["next-signing-key", "next-agreement-key"].filter(isNamed)
        let credentials = ["signing-credential", "agreement-credential"].filter(isNamed)
        for name in next + credentials {
            let use = name.contains("signing") ? "signing-key" : "agreement-key"
            guard !isNamed(use) else { continue }
            issues.error("key-needed", at: gate.position(of: name), "gate.\(name) belongs to a gate.\(use), which is not named.")
        }
        if let name = next.first, !isNamed("switch-at") {
            issues.warning("switch-date-missing", at: gate.position(of: name), "gate.\(name) is never used: gate.switch-at does not say from when on.")
        }
        if next.isEmpty, gate.text("switch-at") != nil {
            issues.warning("switch-to-nothing", at: gate.position(of: "switch-at"), "gate.switch-at changes nothing: no next key is named.")
        }
    }
}
