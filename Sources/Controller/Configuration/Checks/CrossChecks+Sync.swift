import Encoding

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
        checkMoreURLs(sync)
        checkLocalAddresses(sync)
        for name in ["url", "targets-url"] where sync.text(name)?.hasPrefix("http://") ?? false {
            issues.warning("sync-in-the-clear", at: sync.position(of: name),
                           "sync.\(name) begins with http://: whoever listens on the way reads the site data. Nobody can change them.")
        }
    }

    private mutating func checkMoreURLs(_ sync: TableReading) {
        for url in sync.texts("more-urls") ?? [] where WebAddress(url) == nil {
            issues.error("bad-address", at: sync.position(of: "more-urls"), "sync.more-urls: \(url) is no address of http or https that every program reads alike.")
        }
    }

    /// The fetcher refuses what leads to this machine, unless the address is named.
    private mutating func checkLocalAddresses(_ sync: TableReading) {
        let named = sync.texts("local-addresses")
        for address in named ?? [] where !MachinePath.isNetworkAddress(address) {
            issues.error("bad-address", at: sync.position(of: "local-addresses"), "sync.local-addresses: \(address) is no address of IPv4 or IPv6.")
        }
        for name in ["url", "targets-url", "proxy"] where named == nil {
            guard let host = sync.text(name).flatMap(WebAddress.init)?.host, Self.isLocal(host) else { continue }
            issues.error("sync-address-local", at: sync.position(of: name),
                         "sync.\(name) leads to this machine or its own cables: name the address in sync.local-addresses.")
        }
    }

    private static func isLocal(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host.hasPrefix("[fe80:") { return true }
        return host.utf8.allSatisfy { (0x2E...0x39).contains($0) } && ["127.", "0.", "169.254."].contains { host.hasPrefix($0) }
    }

    /// Only bundles say of each record which zones it concerns, and are checked zone by zone.
    private mutating func checkKeep() {
        guard let trust = root.tables["trust"], trust.choice("keep", KeptSiteData.self) == .ownZones, !trust.present.contains("root") else { return }
        issues.error("keep-without-root", at: trust.position(of: "keep"),
                     "trust.keep = \"own-zones\" is for site data that come by synchronisation: trust.root is missing.")
    }
}

extension CrossChecks {
    /// One line of one chip.
    private struct Wire: Hashable {
        let chip: String
        let line: SettingValue
    }

    /// A line serves one thing. Lines of the simulated bank follow the same rule; relays, inputs and reset lines of it, which
    /// people may take for real ones, are named in a warning.
    mutating func checkLines() {
        var first: [Wire: TableReading] = [:]
        for table in Self.tablesWithLines(root) {
            guard let chip = table.text("chip"), let line = table.values["line"] else { continue }
            if chip == OutputSettings.simulatedChip { warnOfSimulation(table) }
            let wire = Wire(chip: Self.plainName(ofChip: chip), line: line.value)
            if let earlier = first[wire] {
                issues.error("line-used-twice", at: line.position,
                             "\(table.path) uses the same line of \"\(chip)\" as \(earlier.path) (line \(earlier.position(of: "line").line)).")
            } else {
                first[wire] = table
            }
        }
    }

    private mutating func warnOfSimulation(_ table: TableReading) {
        let position = table.position(of: "chip")
        if table.path.hasSuffix(".relay") || table.path.hasSuffix(".relay-out") {
            issues.warning("simulated-line", at: position, "\(table.path) is simulated: it moves nothing.")
        } else if table.values["closed"] != nil {
            issues.warning("simulated-line", at: position, "\(table.path) is simulated: nothing but `tapstile simulate` moves it.")
        } else if table.path.hasSuffix(".reset") {
            issues.warning("simulated-line", at: position, "\(table.path) is simulated: it resets nothing.")
        }
    }

    /// Names of a lane's outputs differ: `toggle` goes by them.
    mutating func checkLineOutputs() {
        for lane in lanes { checkNames(of: ["output"], in: lane) }
    }

    /// Every table below that names a line, in the order of the text.
    static func tablesWithLines(_ table: TableReading) -> [TableReading] {
        let below = table.tables.values.flatMap(tablesWithLines) + table.lists.values.joined().flatMap(tablesWithLines)
        let own = table.values["line"] != nil ? [table] : []
        return (own + below).sorted { ($0.position(of: "line"), $0.path) < ($1.position(of: "line"), $1.path) }
    }

    /// `/dev/gpiochip0` and `gpiochip0` are the same chip.
    private static func plainName(ofChip chip: String) -> String {
        chip.hasPrefix("/dev/") ? String(chip.dropFirst(5)) : chip
    }
}
