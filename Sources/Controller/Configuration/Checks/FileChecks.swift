import CLinux

/// What only the machine can tell: whether the files and folders a configuration names are there.
struct FileChecks {
    /// Answers about one path.
    typealias Probe = (String) -> FileFacts
    /// Answers the number of a group; nil when there is none of that name.
    typealias GroupNumber = (String) -> UInt32?

    /// The user that the gate runs as, and its own group.
    typealias GateUser = (owner: UInt32, group: UInt32)

    private let probe: Probe
    /// Nil on a machine that has no such user: one on which no gate is installed.
    private let gateUser: GateUser?
    /// The groups of the control sockets: people. Keys are none of their business.
    private let people: [UInt32: String]
    private var issues: IssueList

    /// - Parameters:
    ///   - probe: how to look at a path; tests bring their own.
    ///   - group: how to find a group; tests bring their own.
    ///   - gateUser: who the gate runs as.
    static func run(_ root: TableReading, _ issues: IssueList, probe: @escaping Probe = FileFacts.init(path:),
                    group: GroupNumber = { UInt32(exactly: clinux_group_id($0)) },
                    gateUser: GateUser? = Self.installedUser, buses: SharedBus = SharedBus()) -> IssueList {
        let people = ["group", "operator-group", "observer-group"].compactMap { root.tables["control"]?.text($0) }
            .compactMap { name in group(name).map { ($0, name) } }
        var checks = FileChecks(probe: probe, gateUser: gateUser, people: Dictionary(people) { first, _ in first }, issues: issues)
        if let gate = root.tables["gate"] {
            checks.checkKey("signing-key", in: gate, secret: true)
            checks.checkKey("agreement-key", in: gate, secret: true)
            checks.checkKey("next-signing-key", in: gate, secret: true)
            checks.checkKey("next-agreement-key", in: gate, secret: true)
            checks.checkKey("signing-credential", in: gate, secret: false)
            checks.checkKey("agreement-credential", in: gate, secret: false)
        }
        if let trust = root.tables["trust"] {
            checks.checkKey("root", in: trust, secret: false)
            checks.checkSiteFile(in: trust)
            checks.checkAnchor("root", in: trust)
        }
        if let store = root.tables["store"] {
            checks.checkFolder("directory", in: store)
            checks.checkAuditKey(in: store)
        }
        for reader in root.lists["reader"] ?? [] {
            checks.checkDevice(of: reader)
            checks.checkBus(of: reader, lines: CrossChecks.tablesWithLines(root), buses)
        }
        return checks.issues
    }

    private init(probe: @escaping Probe, gateUser: GateUser?, people: [UInt32: String], issues: IssueList) {
        self.probe = probe
        self.gateUser = gateUser
        self.people = people
        self.issues = issues
    }

    private mutating func checkKey(_ name: String, in table: TableReading, secret: Bool) {
        guard let path = table.text(name) else { return }
        let position = table.position(of: name)
        switch probe(path) {
        case .file(let mode, let group, let owner):
            checkReadable(path, mode, group, owner, at: position)
            if secret { checkExposed(path, mode, group, at: position) }
        case .folder, .other:
            issues.error("not-a-file", at: position, "\(path) is no file.")
        case .missing:
            // A gate comes up before anybody has brought its keys: it grants nothing and says what is missing.
            issues.warning("file-missing", at: position, "There is no file \(path); the gate does nothing that needs this key.")
        case .unreadable(let reason):
            issues.warning("file-unreadable", at: position, "\(path) cannot be looked at: \(reason).")
        }
    }

    /// Whoever reads a private key acts in the gate's name.
    private mutating func checkExposed(_ path: String, _ mode: UInt32, _ group: UInt32, at position: TextPosition?) {
        if let message = exposure(of: path, mode, group) { issues.error("key-exposed", at: position, message) }
    }

    private func exposure(of path: String, _ mode: UInt32, _ group: UInt32) -> String? {
        if mode & 0o007 != 0 { return "Everyone on this machine may use \(path): set its mode with chmod o= \(path)." }
        guard let name = people[group], mode & 0o070 != 0 else { return nil }
        return "The group \(name), which has a control socket, may use \(path): "
            + "give it to the gate's own group with chgrp tapstile-gate \(path)."
    }

    /// The gate makes this key itself, so that no setting names it. Whoever has it signs a journal that never was; lanes open and close without it.
    private mutating func checkAuditKey(in store: TableReading) {
        guard let folder = store.text("directory"), case let path = "\(folder)/audit.key", case .file(let mode, let group, let owner) = probe(path)
        else { return }
        let position = store.position(of: "directory")
        if let message = exposure(of: path, mode, group) { issues.warning("key-exposed", at: position, message) }
        guard let gateUser, owner != 0, owner != gateUser.owner else { return }
        issues.warning("key-exposed", at: position, "The user with the number \(owner) owns \(path) and may read it: "
            + "give it to the gate's user with chown tapstile \(path), and find out who had access.")
    }

    /// Whoever may write the site's file may let anybody in.
    private mutating func checkSiteFile(in trust: TableReading) {
        guard let path = trust.text("site-file") else { return }
        let position = trust.position(of: "site-file")
        switch probe(path) {
        case .file(let mode, let group, let owner):
            checkReadable(path, mode, group, owner, at: position)
            if let finding = WriteAccess(probe: probe, gateUser: gateUser).finding(path) {
                issues.error("site-file-exposed", at: position, "Others than root may let anybody in: \(finding).")
            }
        case .folder, .other:
            issues.error("not-a-file", at: position, "\(path) is no file.")
        case .missing:
            issues.warning("file-missing", at: position, "There is no file \(path); until there is, the gate knows nobody.")
        case .unreadable(let reason):
            issues.warning("file-unreadable", at: position, "\(path) cannot be looked at: \(reason).")
        }
    }

    /// Whoever may change or replace what the gate trusts decides who signs, and so who is let in.
    private mutating func checkAnchor(_ name: String, in trust: TableReading) {
        guard let path = trust.text(name), let finding = WriteAccess(probe: probe, gateUser: gateUser).finding(path) else { return }
        issues.error("trust-anchor-exposed", at: trust.position(of: name), "Others than root may decide whom this gate trusts: \(finding).")
    }

    /// The user of the unit that is shipped (systemd/tapstile.sysusers).
    static var installedUser: GateUser? {
        var group: UInt32 = 0
        return UInt32(exactly: clinux_user_id("tapstile", &group)).map { ($0, group) }
    }

    /// Whoever checks may be root, who reads everything: would the gate?
    private mutating func checkReadable(_ path: String, _ mode: UInt32, _ group: UInt32, _ owner: UInt32, at position: TextPosition?) {
        if isBarred(0o444, mode, group, owner) {
            issues.warning("key-unreadable", at: position, "The gate's user tapstile may not read \(path): "
                + "sudo chgrp tapstile-gate \(path) && sudo chmod g+r \(path)")
        }
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if case .folder(let mode, let group, let owner) = probe(parent), isBarred(0o111, mode, group, owner) {
            issues.warning("key-unreadable", at: position, "The gate's user tapstile may not enter \(parent), where its key lies: "
                + "sudo chgrp tapstile-gate \(parent) && sudo chmod g+x \(parent)")
        }
    }

    /// Whether the gate's user has none of these permissions. Of owner, group and others the first that fits decides.
    private func isBarred(_ bits: UInt32, _ mode: UInt32, _ group: UInt32, _ owner: UInt32) -> Bool {
        guard let gateUser, gateUser.owner != 0 else { return false }
        let mask: UInt32 = owner == gateUser.owner ? 0o700 : group == gateUser.group ? 0o070 : 0o007
        return mode & bits & mask == 0
    }

    /// An adapter may be plugged in later.
    private mutating func checkDevice(of reader: TableReading) {
        guard let chip = reader.tables["chip"], let path = chip.text("device"), case .missing = probe(path) else { return }
        issues.warning("device-missing", at: chip.position(of: "device"),
                       "There is no device \(path); until there is, \(reader.path) is out of service.")
    }

    /// Whoever drives a chip on an I²C bus commands everything there, also the expander that a relay hangs on: the reader's program must not.
    private mutating func checkBus(of reader: TableReading, lines: [TableReading], _ buses: SharedBus) {
        guard let chip = reader.tables["chip"], chip.choice("bus", ChipBus.self) == .i2c, let device = chip.text("device") else { return }
        let position = chip.position(of: "device")
        let bus = buses.bus(ofDevice: device)
        guard let bus, let shared = lines.first(where: { $0.text("chip").flatMap(buses.bus(ofChip:)) == bus }) else {
            issues.warning("bus-shared", at: position, "Whatever hangs on \(device) besides the PN532 is in the hands of its program, tapstile-nfc: "
                + "let there be nothing, or use UART or SPI.")
            return
        }
        issues.error("bus-with-lines", at: position, "\(shared.path) hangs on \(bus) as this PN532 does: whoever takes over its program, "
            + "tapstile-nfc, could move the line past the gate. Use another bus.")
    }

    private mutating func checkFolder(_ name: String, in table: TableReading) {
        guard let path = table.text(name) else { return }
        let position = table.position(of: name)
        switch probe(path) {
        case .folder: return
        case .file, .other: issues.error("not-a-folder", at: position, "\(path) is no folder.")
        case .missing: issues.error("folder-missing", at: position, "There is no folder \(path).")
        case .unreadable(let reason): issues.error("folder-unreadable", at: position, "\(path) cannot be looked at: \(reason).")
        }
    }
}
