import Foundation
import Testing

/// The rooms and their arrows, held against the sources (docs/architecture.md).
@Suite struct ArchitectureTests {
    /// What each room may import besides the Swift standard library.
    static let arrows: [String: Set<String>] = [
        "Encoding": [],
        "Cryptography": ["Encoding", "COpenSSL", "Synchronization"],
        "Credentials": ["Encoding", "Cryptography"],
        "Conversations": ["Encoding", "Cryptography", "Credentials"],
        "Gate": ["Encoding", "Cryptography", "Credentials"],
        "TrustSync": ["Encoding", "Cryptography", "Credentials", "SiteRules"],
        "Audit": ["Encoding", "Cryptography", "Credentials", "Conversations"],
        "SiteRules": ["Encoding"],
        "ControlProtocol": ["Encoding"],
        "ReaderProtocol": [],
        "Spelling": [],
        "Threads": ["CLinux", "Synchronization"],
        "Files": ["Threads", "CLinux", "Glibc"],
        "CommandLineOptions": ["Encoding", "Spelling", "Glibc"],
        "PhoneTool": ["Encoding", "Cryptography", "Credentials", "Conversations", "VirtualPhone", "Threads", "Files",
                      "Service", "Glibc"],
        "Authority": ["Encoding", "Cryptography", "Credentials", "SiteRules", "TrustSync", "Audit", "Threads", "Files", "Storage", "Configuration", "SiteFile", "Service",
                      "Glibc"],
        "Storage": ["Encoding", "Cryptography", "Credentials", "SiteRules", "TrustSync", "Threads", "Files", "CSQLite", "CLinux",
                    "Glibc"],
        "Readers": ["Encoding", "ReaderProtocol", "Threads", "Files", "CPCSC", "CLinux", "Glibc"],
        "ChipReaders": ["ReaderProtocol", "Threads", "Files", "CNFC", "CLinux", "Glibc"],
        "Uplink": ["Encoding", "ControlProtocol", "Threads", "Files", "CCURL", "CLinux", "Glibc"],
        "Radio": ["Threads", "Files", "CSystemd", "CBluetooth", "CLinux", "Glibc"],
        "Lines": ["Threads", "Files", "CGPIOD", "CLinux", "Glibc"],
        "Configuration": ["Encoding", "Spelling", "Threads", "Files", "CTOML", "CLinux", "Glibc"],
        "SiteFile": ["Encoding", "Cryptography", "Credentials", "SiteRules", "TrustSync", "Spelling", "Configuration", "Glibc"],
        "Service": ["Encoding", "ControlProtocol", "Threads", "Files", "CSystemd", "CLinux", "Glibc"],
        "VirtualPhone": ["Encoding", "Cryptography", "Credentials", "Conversations", "Threads", "CLinux", "Glibc"],
    ]

    static let top = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let sources = top.appendingPathComponent("Sources")
    static let tests = top.appendingPathComponent("Tests")

    /// Files and folders of tests with waits that know no end, and why they may.
    static let endlessWaits = [
        "Waits/": "here they get their end",
        "ThreadsTests/MonitorTests.swift": "tries the wait itself, in a call with a bound",
        "ThreadsTests/WorkerTests.swift": "tries the wait itself, in a call with a bound",
        "ServiceTests/PassedFileTests.swift": "reads a file on the disk, which ends",
        "Smoke/": "a program: whoever runs it gives it its time",
        "Load/": "a program: whoever runs it gives it its time",
    ]

    static func swiftFiles(below folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (walk?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    static func imports(of file: URL) throws -> [String] {
        let kinds: Set<String> = ["struct", "class", "enum", "func", "protocol", "typealias"]
        let access: Set<String> = ["public", "internal", "private", "package"]
        var modules: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let words: [String] = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"),
                  words[..<at].allSatisfy({ $0.hasPrefix("@") || access.contains($0) })
            else { continue }
            // `import struct Module.Name` names the kind first.
            let named: [String] = words[(at + 1)...].filter { !kinds.contains($0) }
            if let module = named.first?.split(separator: ".").first { modules.append(String(module)) }
        }
        return modules
    }

    @Test(arguments: arrows.keys.sorted())
    func roomsImportOnlyWhatTheyMay(room: String) throws {
        let allowed = try #require(Self.arrows[room])
        let files = Self.swiftFiles(below: Self.sources.appendingPathComponent(room))
        #expect(!files.isEmpty, "the room \(room) is gone: mend this table and docs/architecture.md")
        for file in files {
            for module in try Self.imports(of: file) {
                #expect(allowed.contains(module), "\(room)/\(file.lastPathComponent) imports \(module)")
            }
        }
    }

    @Test func foundationIsLinkedIntoNoProgram() throws {
        for file in Self.swiftFiles(below: Self.sources) {
            for module in try Self.imports(of: file) {
                #expect(!["Foundation", "FoundationEssentials", "Dispatch"].contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func forcedConstructsAreAbsent() throws {
        let forbidden = ["try!", "as!", "fatalError("]
        for file in Self.swiftFiles(below: Self.sources) {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let code = line.drop(while: \.isWhitespace)
                guard !code.hasPrefix("//") else { continue }
                for word in forbidden {
                    #expect(!code.contains(word), "\(file.lastPathComponent): \(code)")
                }
            }
        }
    }

    /// A function that is looked at in a generic place is wrapped once more and put back so: later calls go through all
    /// wrappings, and memory grows. A type around it keeps it as it is.
    @Test func noLockHoldsABareFunction() throws {
        for file in Self.swiftFiles(below: Self.sources) {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                #expect(line.firstMatch(of: /(Mutex|Monitor)<(@|\([^)]*\) *->)/) == nil, "\(file.lastPathComponent): \(line)")
            }
        }
    }

    /// One of them is in each line that waits for ever: most lines are through before the expressions below.
    private static let signsOfWaits = [
        ".wait", ".join", "waitUntilExit", "readDataToEnd", "Continuation", "sleep", "sched_yield", "while",
    ]

    /// The waits of Monitor, semaphore, condition, worker and process, sleeps, and loops that only look.
    private static func waitsForEver(_ code: String) -> Bool {
        guard signsOfWaits.contains(where: { code.contains($0) }) else { return false }
        return code.contains(/\.wait *\{|\.wait\(\)|\.join\(\)|waitUntilExit\(|readDataToEndOfFile\(/)
            || code.contains(/withChecked[A-Za-z]*Continuation|(^|[^a-z])(u|nano)?sleep\(|sched_yield\(/)
            || code.contains(/while (?!let|try)[^{]*\{ *\}/)
    }

    /// One wait in vain would hold up the whole run and tell nobody why. `Tests/Waits` has the same with a bound.
    @Test func noTestWaitsForEver() throws {
        var used: Set<String> = []
        for file in Self.swiftFiles(below: Self.tests) {
            let name = String(file.path.dropFirst(Self.tests.path.count + 1))
            let exception = Self.endlessWaits.keys.first { name.hasPrefix($0) }
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let code = line.drop { $0 == " " }
                guard !code.hasPrefix("//"), Self.waitsForEver(String(code)) else { continue }
                if let exception { used.insert(exception) } else { Issue.record("\(name): \(code)") }
            }
        }
        #expect(used == Set(Self.endlessWaits.keys), "an exception that nothing needs is taken away")
    }

    @Test func namesSayWhatAThingIs() {
        for file in Self.swiftFiles(below: Self.sources) {
            let name = file.deletingPathExtension().lastPathComponent
            for vague in ["Manager", "Helper", "Helpers", "Utils", "Utilities", "Misc", "Common"] {
                #expect(!name.hasSuffix(vague), "\(file.path)")
            }
        }
    }
}
