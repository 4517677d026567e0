import Foundation
import Testing

/// What the compiler cannot know of the rooms (docs/architecture.md).
@Suite struct ArchitectureTests {
    /// Rooms that touch nothing outside, and what of the system each imports all the same. Which rooms a room may import is said in
    /// Package.swift and held by the compiler.
    static let pureRooms: [String: Set<String>] = [
        "Foundations/Encoding": ["Swift"], "Foundations/Cryptography": ["COpenSSL", "Synchronization"], "Foundations/Spelling": ["Swift"],
        "Domain/Vocabulary": [], "Domain/Credentials": [], "Domain/PhoneProtocol": [], "Domain/Gate": [], "Domain/SiteData": [], "Domain/Evidence": [],
        "Domain/SiteRules": [], "Domain/ControlProtocol": [], "Domain/ReaderProtocol": [], "Domain/Invitations": [], "Domain/Attestation": [],
    ]

    static let top = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let sources = top.appendingPathComponent("Sources")
    static let tests = top.appendingPathComponent("Tests")

    /// Files and folders of tests with waits that know no end, and why they may.
    static let endlessWaits = [
        "Waits/": "here they get their end",
        "BroughtFolder/": "programs use it, too: it pauses between looks, up to a bound",
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

    @Test(arguments: pureRooms.keys.sorted())
    func pureRoomsTouchNothingOutside(room: String) throws {
        let ofTheSystem = try #require(Self.pureRooms[room])
        let files = Self.swiftFiles(below: Self.sources.appendingPathComponent(room))
        #expect(!files.isEmpty, "the room \(room) is gone: this table and docs/architecture.md still name it")
        for file in files {
            for module in try Self.imports(of: file) where !Self.pureRooms.keys.contains(where: { $0.hasSuffix("/\(module)") }) {
                #expect(ofTheSystem.contains(module), "\(room)/\(file.lastPathComponent) imports \(module)")
            }
        }
    }

    /// A phone has another library: whoever wants cryptography asks the room, and in the room one folder asks libcrypto, where there
    /// is one.
    @Test func oneFolderNamesLibcrypto() throws {
        let folder = Self.sources.appendingPathComponent("Foundations/Cryptography/LibCrypto").path + "/"
        let files = try Self.swiftFiles(below: Self.sources).filter { try Self.imports(of: $0).contains("COpenSSL") }
        #expect(!files.isEmpty, "the folder is gone: this test and docs/architecture.md still name it")
        for file in files {
            #expect(file.path.hasPrefix(folder), "\(file.path) imports COpenSSL")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.hasPrefix("#if canImport(COpenSSL)\n"), "\(file.path) is compiled without libcrypto too")
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

    /// What writes to a terminal, the log or systemd by itself, in Swift, in C and by number.
    private static let waysToPrint = [
        "print", "debugPrint", "dump", "puts", "fputs", "putchar", "fputc", "fwrite", "printf", "fprintf", "dprintf", "vprintf", "vfprintf", "perror",
        "syslog", "sd_notify", "sd_journal_print", "sd_journal_send", "sd_journal_sendv",
    ]

    private static let signsOfPrinting = waysToPrint.map { "\($0)(" }
        + ["write(1,", "write(2,", "write(STD", "Glibc.write(rawValue", "stdout)", "stderr)", "/dev/std", "/dev/tty"]

    /// Files that may, and what they do about it.
    private static let printers: [String: String] = [
        "Programs/CommandLineOptions/StandardStream.swift": "PrintedText",
        "Foundations/Service/Log/LogSink.swift": "LogText",
    ]

    private static func prints(_ code: Substring) -> Bool {
        code.matches(of: /(^|[^A-Za-z0-9_.])([A-Za-z_]+)\(/).contains { waysToPrint.contains(String($0.2)) }
            || code.contains(/(Glibc\.|clinux_|[^.A-Za-z_])write\((1|2|STDOUT_FILENO|STDERR_FILENO),/)
            || code.contains(/Glibc\.write\(rawValue|[(, ](stdout|stderr)\)|"\/dev\/(stdout|stderr|tty)/)
    }

    /// An issuer's name that hides its line from whoever signs, a subject that forges a line of the journal: what a stranger wrote is spelled out in one
    /// place, and no program prints around it.
    @Test func noTextIsPrintedAroundTheOnePlace() throws {
        var used: Set<String> = []
        for file in Self.swiftFiles(below: Self.sources) {
            let name = String(file.path.dropFirst(Self.sources.path.count + 1))
            let text = try String(contentsOf: file, encoding: .utf8)
            // Most files are through before the expressions.
            guard Self.signsOfPrinting.contains(where: { text.contains($0) }) else { continue }
            for line in text.split(separator: "\n") {
                let code = line.drop { $0 == " " }
                guard !code.hasPrefix("//"), Self.prints(code) else { continue }
                if Self.printers[name] != nil { used.insert(name) } else { Issue.record("\(name) prints by itself: \(code)") }
            }
        }
        #expect(used == Set(Self.printers.keys), "an exception that nothing needs is taken away")
        for (name, way) in Self.printers {
            let text = try String(contentsOf: Self.sources.appendingPathComponent(name), encoding: .utf8)
            #expect(text.contains("\(way)."), "\(name) writes what \(way) has not spelled out")
        }
        for (name, said) in [("Foundations/Service/Log/LogText.swift", "PrintedText.line("), ("Foundations/Service/Daemon/Notify.swift", "STATUS=\\(LogText.line(")] {
            #expect(try String(contentsOf: Self.sources.appendingPathComponent(name), encoding: .utf8).contains(said), "\(name)")
        }
        // C of our own says nothing by itself either.
        let walk = FileManager.default.enumerator(at: Self.sources.appendingPathComponent("Foundations/CLibraries"), includingPropertiesForKeys: nil)
        for case let file as URL in walk ?? .init() where ["c", "h"].contains(file.pathExtension) {
            let code = try String(contentsOf: file, encoding: .utf8)
            #expect(!code.contains(/(^|[^a-z_])(printf|fprintf|dprintf|puts|fputs|perror|syslog)\s*\(/), "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: ["print(name)", "    fputs(\"x\", stderr)", "_ = Glibc.write(2, bytes, 1)", "let _ = clinux_write(1, bytes, 3)", "perror(\"open\")", "fflush(stdout)"])
    func whatPrintsIsSeen(code: String) {
        #expect(Self.prints(code[...]))
    }

    @Test(arguments: ["writer.print(name)", "StandardStream.output.write(line: text)", "case .stderr: .standardError", "try file.write(bytes)", "blueprint(of: lane)"])
    func whatDoesNotPrintIsLeftAlone(code: String) {
        #expect(!Self.prints(code[...]))
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
