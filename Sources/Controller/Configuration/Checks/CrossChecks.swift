/// What one value alone does not show: names that must differ, references that must lead somewhere, lines
/// and readers that serve only one purpose. Works on what was read, so that one wrong value does not hide
/// the next mistake.
struct CrossChecks {
    let root: TableReading
    var issues: IssueList

    /// Adds what it finds to the issues.
    static func run(_ root: TableReading, _ issues: IssueList) -> IssueList {
        var checks = CrossChecks(root: root, issues: issues)
        checks.checkAudit()
        checks.checkTrust()
        checks.checkSiteDataSource()
        checks.checkSync()
        checks.checkClock()
        checks.checkKeys()
        checks.checkSuites()
        checks.checkKeyFiles()
        checks.checkRotation()
        checks.checkSecondFactors()
        checks.checkZones()
        checks.checkNames(of: ["lane"], in: root)
        // Both stand as the reader in journal and events.
        checks.checkNames(of: ["reader", "radio"], in: root)
        checks.checkLineOutputs()
        checks.checkCommands()
        checks.checkLines()
        checks.checkPatterns()
        checks.checkInputs()
        checks.checkHolds()
        checks.checkReaders()
        checks.checkLanesHaveReaders()
        checks.checkRadios()
        return checks.issues
    }

    var lanes: [TableReading] { root.lists["lane"] ?? [] }
    var readers: [TableReading] { root.lists["reader"] ?? [] }
    var radios: [TableReading] { root.lists["radio"] ?? [] }

    private mutating func checkAudit() {
        guard let audit = root.tables["audit"], let wait = audit.integer("wait-ms"),
              let within = audit.integer("durable-within-ms"), wait > within else { return }
        issues.error("audit-wait-too-long", at: audit.position(of: "wait-ms"),
                     "audit.wait-ms (\(wait)) is longer than audit.durable-within-ms (\(within)).")
    }

    private mutating func checkTrust() {
        guard let trust = root.tables["trust"], let warn = trust.integer("warn-after-hours"),
              let refuse = trust.integer("refuse-after-days"), warn > refuse * 24 else { return }
        issues.warning("warning-comes-late", at: trust.position(of: "warn-after-hours"),
                       "trust.warn-after-hours (\(warn)) warns after trust.refuse-after-days (\(refuse)) already refuses.")
    }

    /// Site data come from one place: which people may pass must never depend on which of two was read last.
    private mutating func checkSiteDataSource() {
        guard let trust = root.tables["trust"] else { return }
        let sources = ["root", "site-file"].filter { trust.present.contains($0) }
        if sources.count > 1 {
            issues.error("two-trust-sources", at: trust.position(of: sources[sources.count - 1]),
                         "trust.root and trust.site-file exclude each other: remove site-file where an authority signs the site data, root on a stand-alone gate.")
        // Whoever had site-key is told what takes its place.
        } else if sources.isEmpty, !trust.present.contains("site-key") {
            issues.error("missing-setting", at: trust.position,
                         "trust.root (site data that an authority signs) or trust.site-file (a stand-alone gate) is missing.")
        }
    }

    /// A lane joins two zones, or leads into one.
    private mutating func checkZones() {
        for lane in lanes {
            guard let outer = lane.text("from-zone"), lane.text("zone").map({ $0 == outer }) ?? true else { continue }
            issues.error("zones-not-two", at: lane.position(of: "from-zone"),
                         "from-zone and zone of a lane are the two zones that it joins: name another `zone`, or leave `from-zone` out.")
        }
    }

    /// A lane offers only methods whose key the gate has (RFC 9528, 3.2: the Responder signs in 0 and 2,
    /// agrees in 1 and 3), and a key signs or agrees, never both.
    private mutating func checkKeys() {
        guard let gate = root.tables["gate"] else { return }
        for lane in lanes {
            for method in lane.integers("methods") ?? [] {
                let key = method == 0 || method == 2 ? "signing-key" : "agreement-key"
                guard !gate.present.contains(key) else { continue }
                issues.error("key-needed", at: lane.values["methods"]?.position,
                             "\(lane.path).methods offers method \(method), which needs gate.\(key).")
            }
        }
    }

    /// Keys that agree are on P-256, so that suite 6 (X25519) goes with method 0 alone.
    private mutating func checkSuites() {
        for lane in lanes where lane.integers("suites") == [6] {
            guard let methods = lane.integers("methods"), !methods.contains(0) else { continue }
            issues.error("suite-needs-method", at: lane.position(of: "suites"),
                         "\(lane.path).suites has suite 6 alone, which goes with method 0: name 2, 3 or 5 too, or method 0.")
        }
    }

    private mutating func checkSecondFactors() {
        for lane in lanes {
            guard let when = lane.choice("second-factor", SecondFactorSetting.self) else { continue }
            let schedule = lane.text("second-factor-schedule")
            if when == .scheduled, !lane.present.contains("second-factor-schedule") {
                issues.error("schedule-needed", at: lane.position(of: "second-factor"),
                             "\(lane.path).second-factor is \"scheduled\", which needs \(lane.path).second-factor-schedule.")
            } else if when != .scheduled, let schedule {
                issues.warning("schedule-unused", at: lane.position(of: "second-factor-schedule"),
                               "\(lane.path).second-factor-schedule names \"\(schedule)\", but \(lane.path).second-factor is not \"scheduled\".")
            }
        }
    }

    mutating func checkNames(of lists: [String], in parent: TableReading) {
        var first: [String: TableReading] = [:]
        for table in lists.flatMap({ parent.lists[$0] ?? [] }) {
            guard let name = table.text("name") else { continue }
            if let earlier = first[name] {
                issues.error("duplicate-name", at: table.position(of: "name"),
                             "The name \"\(name)\" is already that of \(earlier.path) (line \(earlier.position(of: "name").line)).")
            } else {
                first[name] = table
            }
        }
    }
}

/// Whom the gate believes about the time.
extension CrossChecks {
    mutating func checkClock() {
        guard let clock = root.tables["clock"], clock.choice("after-boot", AfterBootPolicy.self) == .believe else { return }
        let isNeedless = root.tables["sync"]?.present.contains("url") ?? false
        issues.warning("time-believed-at-once", at: clock.position(of: "after-boot"),
                       "clock.after-boot = \"believe\": after each start the first time that the machine has opens lanes by their plans and drops second factors. "
                           + "Who cuts the power and answers for the time server chooses it. "
                           + (isNeedless ? "This gate synchronises, and a signed date confirms the time by itself: leave the setting out."
                               : "Without the setting they wait for: tapstile clock confirm."))
    }
}

extension CrossChecks {
    /// A relay that is held until the passage begins needs a sensor that sees it.
    mutating func checkHolds() {
        for lane in lanes where lane.tables["inputs"]?.tables[InputName.passageIn.rawValue] == nil {
            for relay in ["relay", "relay-out"].compactMap({ lane.tables[$0] }) {
                guard relay.choice("hold", RelayHold.self) == .untilPassage else { continue }
                issues.error("hold-unseen", at: relay.position(of: "hold"),
                             "\(relay.path).hold is until-passage, and nothing sees the passage: wire \(lane.path).inputs.passage-in, or choose pulse.")
            }
        }
    }
}
