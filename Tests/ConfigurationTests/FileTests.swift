@testable import Configuration
import Foundation
import Testing

@Suite("The file itself and the files it names")
final class FileTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func issues(path: String, checkingFiles: Bool = true) -> [ConfigurationIssue] {
        do throws(InvalidConfiguration) {
            return try ConfigurationFile.load(path: path, checkingFiles: checkingFiles).warnings
        } catch {
            return error.issues
        }
    }

    @Test("A file that is not there, a folder, a file too long")
    func unreadable() throws {
        let missing = issues(path: folder.path + "/no.toml")
        #expect(missing.map(\.code) == ["file-unreadable"])
        #expect(missing.first?.message == "The file cannot be read: No such file or directory.")
        #expect(missing.first?.description.hasPrefix(folder.path + "/no.toml: error file-unreadable") == true)
        #expect(issues(path: folder.path).map(\.code) == ["file-unreadable"])
        let long = folder.path + "/long.toml"
        try Data(repeating: 0x23, count: ConfigurationFile.maximumBytes + 1).write(to: URL(fileURLWithPath: long))
        #expect(issues(path: long).map(\.code) == ["file-too-long"])
    }

    @Test("Keys and folders that are not there are named, each at its place")
    func missingFiles() throws {
        let path = folder.path + "/tapstile.toml"
        try (Sample.smallest + "\n[store]\ndirectory = \"\(folder.path)/state\"").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(issues(path: path).map { "\($0.position?.line ?? 0) \($0.code)" } == [
            "5 file-missing", "7 file-missing", "18 folder-missing"
        ])
        #expect(issues(path: path).map(\.severity) == [.warning, .warning, .error], "a gate comes up without its keys")
        #expect(issues(path: path, checkingFiles: false) == [])
    }

    @Test("An audit key that others may read is exposed", arguments: [
        (FileFacts.file(mode: 0o600, group: 6, owner: 5), 0), (.file(mode: 0o600, group: 0, owner: 0), 0), (.missing, 0),
        (.file(mode: 0o604, group: 6, owner: 5), 1), (.file(mode: 0o640, group: 8, owner: 5), 1), (.file(mode: 0o600, group: 6, owner: 9), 1)
    ])
    func exposedAuditKey(facts: FileFacts, count: Int) throws {
        let document = try TOMLDocument(Array(Sample.smallest.utf8))
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, document.root)
        let issues = FileChecks.run(root, IssueList(file: "t.toml"), probe: { $0 == "/var/lib/tapstile/audit.key" ? facts : .missing },
                                    group: { $0 == "tapstile" ? 8 : nil }, gateUser: (5, 6))
        #expect(issues.issues.filter { $0.code == "key-exposed" }.count == count)
    }

    @Test("What stands at a path decides", arguments: [
        (FileFacts.file(mode: 0o600, group: 7), FileFacts.folder(), []), (.file(mode: 0o640, group: 7), .folder(), []),
        (.file(mode: 0o644, group: 7), .folder(), ["key-exposed"]), (.file(mode: 0o602, group: 7), .folder(), ["key-exposed", "trust-anchor-exposed"]),
        // 8 is the group of the control socket: people.
        (.file(mode: 0o640, group: 8), .folder(), ["key-exposed"]), (.file(mode: 0o620, group: 8), .folder(), ["key-exposed", "trust-anchor-exposed"]),
        (.file(mode: 0o600, group: 8), .folder(), []),
        (.folder(), .folder(), ["not-a-file", "not-a-file"]), (.other, .other, ["not-a-file", "not-a-file", "not-a-folder"]),
        (.unreadable(reason: "Permission denied"), .file(mode: 0o600, group: 7), ["file-unreadable", "file-unreadable", "not-a-folder"]),
        (.missing, .unreadable(reason: "Permission denied"), ["file-missing", "file-missing", "folder-unreadable"])
    ])
    func facts(key: FileFacts, folder: FileFacts, codes: [String]) throws {
        let document = try TOMLDocument(Array(Sample.smallest.utf8))
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, document.root)
        let issues = FileChecks.run(root, IssueList(file: "t.toml"), probe: { path in path.hasPrefix("/keys") ? key : folder },
                                    group: { $0 == "tapstile" ? 8 : nil }, gateUser: nil)
        #expect(issues.issues.map(\.code) == codes)
    }

    @Test("Who may write the site's file decides who is let in", arguments: [
        (FileFacts.file(mode: 0o644, group: 7), []), (.file(mode: 0o664, group: 0), []), (.file(mode: 0o640, group: 8), []),
        (.file(mode: 0o646, group: 7), ["site-file-exposed"]), (.file(mode: 0o660, group: 8), ["site-file-exposed"]),
        // A group of nobody we know, and somebody else's file.
        (.file(mode: 0o664, group: 7), ["site-file-exposed"]), (.file(mode: 0o644, group: 0, owner: 70), ["site-file-exposed"]),
        (.missing, ["file-missing"]), (.folder(), ["not-a-file"]), (.unreadable(reason: "Permission denied"), ["file-unreadable"])
    ])
    func siteFile(facts: FileFacts, codes: [String]) throws {
        let text = Sample.smallest.replacing("root = \"", with: "site-file = \"/site")
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, try TOMLDocument(Array(text.utf8)).root)
        let key = FileFacts.file(mode: 0o600, group: 7)
        let issues = FileChecks.run(root, IssueList(file: "t.toml"), probe: { $0.hasPrefix("/site") ? facts : $0.hasPrefix("/keys") ? key : .folder() },
                                    group: { $0 == "tapstile" ? 8 : nil }, gateUser: nil)
        #expect(issues.issues.map(\.code) == codes)
    }

    @Test("Who may write a trust anchor decides who signs", arguments: [
        (["/etc/keys/anchor": FileFacts.file(mode: 0o644, group: 0)], 0),
        (["/etc/keys/anchor": .file(mode: 0o640, group: 6, owner: 5), "/etc/keys": .folder(mode: 0o770, group: 6, owner: 5)], 0),
        (["/etc/keys/anchor": .file(mode: 0o646, group: 0)], 1), (["/etc/keys/anchor": .file(mode: 0o664, group: 70)], 1),
        (["/etc/keys/anchor": .file(mode: 0o644, group: 0, owner: 70)], 1),
        // Another file may be put in its place.
        (["/etc/keys": .folder(mode: 0o777, group: 0)], 1), (["/etc/keys": .folder(mode: 0o775, group: 70)], 1),
        (["/etc": .folder(mode: 0o755, group: 0, owner: 70)], 1), (["/etc": .folder(mode: 0o1777, group: 0)], 0),
        (["/etc/keys/anchor": .missing, "/etc/keys": .folder(mode: 0o777)], 1)
    ])
    func trustAnchor(facts: [String: FileFacts], count: Int) throws {
        let text = Sample.smallest.replacing(#/root.*\n/#, with: "root = \"/etc/keys/anchor\"\n")
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, try TOMLDocument(Array(text.utf8)).root)
        let probe: FileChecks.Probe = { facts[$0] ?? ($0.hasPrefix("/etc/keys/") ? .file(mode: 0o644, group: 0) : .folder()) }
        let issues = FileChecks.run(root, IssueList(file: "t.toml"), probe: probe, group: { _ in nil }, gateUser: (5, 6)).issues
        let exposed = issues.filter { $0.code == "trust-anchor-exposed" }
        #expect(exposed.count == count && exposed.allSatisfy { $0.severity == .error })
    }

    @Test("A site's file in a folder of everybody's is everybody's")
    func siteFileInAnOpenFolder() throws {
        let text = Sample.smallest.replacing("root = \"", with: "site-file = \"/site")
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, try TOMLDocument(Array(text.utf8)).root)
        func codes(_ folder: UInt32) -> [String] {
            let probe: FileChecks.Probe = { $0.hasSuffix("/site") || $0.hasPrefix("/site/keys/") ? .file(mode: 0o644, group: 0)
                : $0 == "/site/keys" ? .folder(mode: folder) : .folder() }
            return FileChecks.run(root, IssueList(file: "t.toml"), probe: probe, group: { _ in nil }, gateUser: nil).issues.map(\.code)
        }
        #expect(codes(0o777).contains("site-file-exposed") && !codes(0o1777).contains("site-file-exposed"))
    }

    @Test("A reader's program on the bus of a relay could move it", arguments: [
        ("gpiochip2", ["bus-with-lines"]), ("/dev/gpiochip2", ["bus-with-lines"]), ("pcf8574", ["bus-with-lines"]),
        // Behind a multiplexer of that bus.
        ("gpiochip3", ["bus-with-lines"]), ("gpiochip4", ["bus-shared"]), ("gpiochip0", ["bus-shared"]), ("/dev/none", ["bus-shared"])
    ])
    func expanderOnTheReadersBus(relay: String, codes: [String]) throws {
        let soc = "/sys/devices/platform/soc"
        let links = ["/dev/tapstile/nfc": "/dev/i2c-1", "/sys/bus/i2c/devices/i2c-1": "\(soc)/i2c-1", "/dev/gpiochip2": "/dev/gpiochip2",
                     "/sys/bus/gpio/devices/gpiochip0": "\(soc)/gpiochip0", "/sys/bus/gpio/devices/gpiochip2": "\(soc)/i2c-1/1-0020/gpiochip2",
                     "/sys/bus/gpio/devices/gpiochip3": "\(soc)/i2c-1/i2c-7/7-0020/gpiochip3",
                     "/sys/bus/gpio/devices/gpiochip4": "\(soc)/i2c-10/10-0020/gpiochip4"]
        let text = Sample.smallest.replacing("chip = \"gpiochip0\"", with: "chip = \"\(relay)\"") + """
            \n[[reader]]\nname = "pn"\nlane = "entry"\ntype = "pn532"\n[reader.chip]\nbus = "i2c"\ndevice = "/dev/tapstile/nfc"\n
            """
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, try TOMLDocument(Array(text.utf8)).root)
        let buses = SharedBus(resolve: { links[$0] }, chips: { $0 == "pcf8574" ? ["\(soc)/i2c-1/1-0020/gpio/gpiochip480"] : [] })
        let issues = FileChecks.run(root, IssueList(file: "t.toml"), probe: { _ in .other }, group: { _ in nil }, gateUser: nil, buses: buses)
        #expect(issues.issues.map(\.code).filter { $0.hasPrefix("bus-") } == codes)
    }

    @Test("A way by links is as safe as each folder and each link on it", arguments: [
        ("/etc/anchor", "/srv/share"), ("/etc/two-links", "/srv/share"), ("/etc/relative", "/srv/share"), ("/etc/through-a-folder/anchor", "/srv/share"),
        ("/tmp/somebodys", "the link /tmp/somebodys"), ("/etc/own", nil), ("/etc/round", nil), ("/etc/keys/../keys/anchor", nil)
    ])
    func linkToAnchor(path: String, finding: String?) {
        let links = ["/etc/anchor": "/srv/share/anchor", "/etc/two-links": "/srv/share/current", "/srv/share/current": "/etc/keys/anchor",
                     "/etc/relative": ".././srv/share/anchor", "/etc/through-a-folder": "/srv/share", "/tmp/somebodys": "/etc/keys/anchor",
                     "/etc/own": "keys/anchor", "/etc/round": "round"]
        let probe: FileChecks.Probe = { path in
            path == "/srv/share" ? .folder(mode: 0o777) : path.hasSuffix("anchor") ? .file(mode: 0o644, group: 0) : .folder(mode: path == "/tmp" ? 0o1777 : 0o755)
        }
        let access = WriteAccess(probe: probe, link: { place in links[place].map { ($0, place.hasPrefix("/tmp") ? 70 : 0) } },
                                 hasAccessList: { _ in false }, gateUser: nil)
        let found = access.finding(path)
        #expect(finding == nil ? found == nil : found?.contains(finding ?? "") == true, "\(found ?? "nobody")")
    }

    @Test("An access control list lets others in behind the group's bits", arguments: [(0o664, true), (0o644, false)] as [(UInt32, Bool)])
    func accessList(mode: UInt32, exposed: Bool) {
        let access = WriteAccess(probe: { $0 == "/anchor" ? .file(mode: mode, group: 0) : .folder() }, link: { _ in nil },
                                 hasAccessList: { $0 == "/anchor" }, gateUser: nil)
        #expect((access.finding("/anchor") != nil) == exposed)
    }

    @Test("Who may change the configuration decides what the gate does", arguments: [(0o644, []), (0o646, ["configuration-exposed"])] as [(Int, [String])])
    func exposedConfiguration(mode: Int, codes: [String]) throws {
        let path = folder.path + "/tapstile.toml"
        try (Sample.smallest + "\n[store]\ndirectory = \"\(folder.path)\"").write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(issues(path: path).map(\.code).filter { $0.hasSuffix("-exposed") } == codes)
        #expect(issues(path: path, checkingFiles: false) == [], "a text is checked as a text")
    }

    @Test("Site data come from one place")
    func oneSource() throws {
        let file = "site-file = \"/site.toml\"\n", root = "root = \"/keys/root\"\n"
        func codes(_ trust: String) -> [String] {
            IssueTests.marks(Sample.smallest.replacing(#/root.*\n/#, with: trust))
        }
        #expect(codes(file) == [] && codes(root) == [])
        #expect(codes("") == ["6:1 missing-setting"])
        #expect(codes(root + file) == ["8:13 two-trust-sources"])
        let loaded = try ConfigurationFile.parse(Array(Sample.smallest.replacing(#/root.*\n/#, with: file).utf8), name: "t").configuration
        #expect(loaded.trust.siteFile == "/site.toml" && loaded.trust.root == nil)
    }

    @Test("Root is told what the gate's own user may not read", arguments: [
        // The gate runs as user 5 with the group 6.
        (FileFacts.file(mode: 0o640, group: 6), FileFacts.folder(mode: 0o750, group: 6), 0),
        (.file(mode: 0o640, group: 0), .folder(mode: 0o750, group: 6), 1), (.file(mode: 0o600, group: 6), .folder(mode: 0o750, group: 6), 1),
        (.file(mode: 0o640, group: 6), .folder(mode: 0o700, group: 0), 1), (.file(mode: 0o600, group: 0), .folder(mode: 0o700, group: 0), 2),
        (.file(mode: 0o400, group: 0, owner: 5), .folder(mode: 0o711, group: 0), 0),
        (.file(mode: 0o040, group: 6, owner: 5), .folder(), 1)
    ])
    func readable(key: FileFacts, folder: FileFacts, count: Int) throws {
        let document = try TOMLDocument(Array(Sample.smallest.utf8))
        var reader = SchemaReader(file: "t.toml")
        let root = reader.read(Schema.root, document.root)
        let probe: FileChecks.Probe = { path in path == "/keys/sign" ? key : path == "/keys" ? folder : .missing }
        let issues = FileChecks.run(root, IssueList(file: "t.toml"), probe: probe, group: { _ in nil }, gateUser: (5, 6)).issues
        let unreadable = issues.filter { $0.code == "key-unreadable" }
        #expect(unreadable.count == count)
        #expect(unreadable.allSatisfy { $0.severity == .warning }, "the gate starts, and names it too")
        let nobody = FileChecks.run(root, IssueList(file: "t.toml"), probe: probe, group: { _ in nil }, gateUser: nil).issues
        #expect(!nobody.contains { $0.code == "key-unreadable" })
    }

    @Test("The machine is looked at as it is")
    func look() throws {
        let file = folder.path + "/key"
        try Data([1]).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(FileFacts(path: file) == .file(mode: 0o640, group: getgid(), owner: getuid()))
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder.path)
        #expect(FileFacts(path: folder.path) == .folder(mode: 0o750, group: getgid(), owner: getuid()))
        #expect(FileFacts(path: "/dev/null") == .other)
        #expect(FileFacts(path: file + "2") == .missing)
        #expect(FileFacts(path: file + "/x") == .unreadable(reason: "Not a directory"))
    }
}
