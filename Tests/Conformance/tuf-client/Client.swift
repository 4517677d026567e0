import CLinux
import CommandLineOptions
import ControlProtocol
import Encoding
import Files
import Glibc
import SiteData
import Storage
import Threads

/// The gate's client of a TUF repository, alone.
struct Client {
    private let command: ParsedCommand
    private let json: Bool

    static let syntax = ProgramSyntax(
        "tuf-client", "Follows a TUF repository as a gate does.",
        operands: [OperandSyntax("ACTION", "init, refresh or download, below"),
                   OperandSyntax("ROOT", isOptional: true, "init: the first root that is trusted")],
        options: [.flag("json", "one JSON object a line instead of text"),
                  .value("metadata-dir", "DIR", "what is trusted"),
                  .value("metadata-url", "URL", "where the repository's metadata are"),
                  .value("target-base-url", "URL", "download: where its targets are"),
                  .value("target-name", "NAME", isRepeatable: true, "download: a target"),
                  .value("target-dir", "DIR", "download: where to put it"),
                  .value("from", "DIR", "a folder with `metadata` and `targets` in it, instead of both addresses"),
                  .value("authorities", "FILE", "who may vouch for the server (PEM), instead of the system's"),
                  .value("proxy", "URL", "a proxy; that of the environment is not used"),
                  .value("stall-timeout", "SECONDS", "give up a server that sends too little for so long (default 30)"),
                  .value("fetch", "PROGRAM", "what fetches (default: tapstile-net beside this program)")],
        details: "init: trust a root; no request\n"
            + "refresh: fetch and check the metadata of the four roles\n"
            + "download: the same, then the targets, each checked before it has its name")

    init(_ command: ParsedCommand) {
        self.command = command
        json = command.has("json")
    }

    private static let ofNetwork = ["metadata-url", "target-base-url", "authorities", "proxy", "fetch"]
    private static let ofTargets = ["target-base-url", "target-name", "target-dir"]

    func run() throws -> ExitStatus {
        do {
            return try act()
        } catch let refusal as UpdateRefusal {
            throw RefusedFile(refusal)
        }
    }

    private func act() throws -> ExitStatus {
        guard let action = command.operand(0) else { throw CommandLineError.operandMissing("ACTION") }
        let folder = try command.required("metadata-dir")
        switch action {
        case "init":
            try command.refuse(Self.ofNetwork + Self.ofTargets + ["from", "stall-timeout"], beside: "metadata-dir")
            guard let root = command.operand(1) else { throw CommandLineError.operandMissing("ROOT") }
            return try begin(folder, root: root)
        case "refresh":
            try command.refuse(Self.ofTargets, beside: "metadata-dir")
            return try refresh(MetadataFolder(path: folder))
        case "download": return try download(MetadataFolder(path: folder))
        default: throw CommandLineError.operandNotWanted(action)
        }
    }

    private static var now: Int64 { clinux_realtime_nanoseconds() / 1_000_000_000 }

    /// The folder is made where it is not there; the root must be signed by itself.
    private func begin(_ folder: String, root path: String) throws -> ExitStatus {
        let root: [UInt8]
        do throws(SystemError) {
            root = try SmallFile.read(path, limit: UpdateLimits().root)
        } catch {
            throw UpdateRefusal(.root, error.number == EFBIG ? .badTrustedRoot(nil) : .disk(error.message))
        }
        let version = try Update(root: root, startedAt: Self.now).root.header.version
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw SystemError("make \(folder)", errno) }
        try MetadataFolder(path: folder).keep(.root, root)
        write(["root": .integer(version)], "Root \(version) is trusted.")
        return .success
    }

    private func refresh(_ folder: MetadataFolder) throws -> ExitStatus {
        var run = try open(folder)
        write(try run.refresh())
        return .success
    }

    private func download(_ folder: MetadataFolder) throws -> ExitStatus {
        let names = command.values("target-name")
        guard !names.isEmpty else { throw CommandLineError.optionMissing("target-name") }
        if !command.has("from") { _ = try command.required("target-base-url") }
        let targets = TargetFolder(path: try command.required("target-dir"))
        var run = try open(folder)
        _ = try run.refresh()
        for name in names {
            let target = try run.find(name)
            let isNew = try run.download(target, to: targets)
            write(target, in: targets, isNew: isNew)
        }
        return .success
    }

    private func open(_ folder: MetadataFolder) throws -> TUFRun {
        let patience = Int64(try command.integer("stall-timeout", in: 1...86_400) ?? 30)
        let setup = try FetchSetup(proxy: command.value("proxy"), authorities: command.value("authorities"),
                                   agent: "tapstile/\(ProductVersion.current)")
        if let path = command.value("from") {
            try command.refuse(Self.ofNetwork, beside: "from")
            return try TUFRun(folder: folder, address: .folder(patience: patience), fetcher: FolderSource(path: path, setup: setup), at: Self.now)
        }
        let address = RepositoryAddress(metadata: try command.required("metadata-url"), targets: command.value("target-base-url"), patience: patience)
        return try TUFRun(folder: folder, address: address, fetcher: try child(setup), at: Self.now)
    }

    private func child(_ setup: FetchSetup) throws(UpdateRefusal) -> FetchChild {
        do throws(FetchBreach) {
            return try FetchChild(program: command.value("fetch") ?? Self.besideUs, setup: setup)
        } catch {
            throw UpdateRefusal(.root, .unavailable("\(error.code): \(error.message)"))
        }
    }

    /// `tapstile-net` in the folder of this program.
    private static var besideUs: String {
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &name, name.count - 1)
        let path = String(decoding: name.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + "tapstile-net"
    }

    // What is said ------------------------------------------------------------------------------------

    private func write(_ report: RefreshReport) {
        let expires = UTCText.make(seconds: report.expires)
        let changed = report.changed.map(\.description)
        let versions = "timestamp \(report.timestamp.header.version), snapshot \(report.snapshot.header.version), "
            + "targets \(report.targets.header.version)"
        write(["timestamp": .integer(report.timestamp.header.version), "snapshot": .integer(report.snapshot.header.version),
              "targets": .integer(report.targets.header.version), "expires": .string(expires),
              "changed": .array(changed.map { .string($0) })],
             "\(versions); new: \(changed.isEmpty ? "nothing" : changed.joined(separator: ", ")); good until \(expires).")
    }

    private func write(_ target: FoundTarget, in targets: TargetFolder, isNew: Bool) {
        let file = targets.file(of: target.path)
        write(["target": .string(target.path.description), "file": .string(file), "length": .integer(target.file.length),
              "role": .string(target.role.description), "downloaded": .bool(isNew)],
             "\(file)\(isNew ? "" : " was there already").")
    }

    private func write(_ fields: JSONObject, _ sentence: String) {
        if json { StandardStream.output.write(.object(fields)) } else { StandardStream.output.write(line: sentence) }
    }
}
