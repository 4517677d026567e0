/// What belongs together where a gate synchronises.
extension CrossChecks {
    mutating func checkSync() {
        checkKeep()
        guard let sync = root.tables["sync"], let trust = root.tables["trust"], let first = sync.present.sorted().first else { return }
        guard sync.present.contains("url") else {
            issues.error("missing-setting", at: sync.position(of: first), "sync.url is missing: without it sync.\(first) does nothing.")
            return
        }
        if !trust.present.contains("root") {
            issues.error("sync-without-root", at: sync.position(of: "url"),
                         "sync.url is where site data come from, and trust.root whom to believe about them: trust.root is missing.")
        }
        for (one, other) in [("client-certificate", "client-key"), ("client-key", "client-certificate")]
        where sync.present.contains(one) && !sync.present.contains(other) {
            issues.error("missing-setting", at: sync.position(of: one), "sync.\(one) needs sync.\(other).")
        }
        for name in ["url", "targets-url"] where sync.text(name)?.hasPrefix("http://") ?? false {
            issues.warning("sync-in-the-clear", at: sync.position(of: name),
                           "sync.\(name) begins with http://: whoever listens on the way reads the site data. Nobody can change them.")
        }
    }

    /// Only bundles say of each record which zones it concerns, and are checked zone by zone.
    private mutating func checkKeep() {
        guard let trust = root.tables["trust"], trust.choice("keep", KeptSiteData.self) == .ownZones, !trust.present.contains("root") else { return }
        issues.error("keep-without-root", at: trust.position(of: "keep"),
                     "trust.keep = \"own-zones\" is for site data that come by synchronisation: trust.root is missing.")
    }
}
