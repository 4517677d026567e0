import Glibc

/// Who may change or replace what stands at a path, besides those who may do so by right: the file itself and each folder on the way to it,
/// for whoever may write a folder puts another file in its place. Of a link the way to it counts as well as the way to where it leads.
struct WriteAccess {
    /// Somebody who may and should not, in words.
    typealias Finding = String

    private let probe: FileChecks.Probe
    private let resolve: (String) -> String?
    private let owners: Set<UInt32>
    private let groups: Set<UInt32>

    /// - Parameters:
    ///   - resolve: the path without links; nil where there is none.
    ///   - gateUser: may write by right, as may root and whoever runs this program.
    init(probe: @escaping FileChecks.Probe, resolve: @escaping (String) -> String? = MachinePath.real, gateUser: FileChecks.GateUser?) {
        self.probe = probe
        self.resolve = resolve
        owners = Set([0, geteuid(), gateUser?.owner].compactMap { $0 })
        groups = Set([0, getegid(), gateUser?.group].compactMap { $0 })
    }

    /// The first who may write and should not; nil where there is nobody.
    func finding(_ path: String) -> Finding? {
        let real = resolve(path).flatMap { $0 == path ? nil : $0 }
        for way in [path, real].compactMap({ $0 }) {
            for place in Self.places(on: way) {
                if let finding = finding(at: place) { return finding }
            }
        }
        return nil
    }

    /// The first folder above a file in which everybody may put another one in its place.
    func openFolder(above path: String) -> String? {
        Self.places(on: resolve(path) ?? path).dropFirst().first { place in
            if case .folder(let mode, _, _) = probe(place) { mode & 0o1002 == 0o002 } else { false }
        }
    }

    private func finding(at place: String) -> Finding? {
        switch probe(place) {
        case .file(let mode, let group, let owner): finding(at: place, mode, group, owner)
        // Where the sticky bit is set only owners move what is there, and what is there is looked at itself.
        case .folder(let mode, let group, let owner): finding(at: place, mode & 0o1000 == 0 ? mode : mode & ~0o022, group, owner)
        case .other, .missing, .unreadable: nil
        }
    }

    private func finding(at place: String, _ mode: UInt32, _ group: UInt32, _ owner: UInt32) -> Finding? {
        if !owners.contains(owner) { return "\(place) belongs to the user \(owner): sudo chown root \(place)" }
        if mode & 0o002 != 0 { return "everyone on this machine may change \(place): sudo chmod o-w \(place)" }
        if mode & 0o020 != 0, !groups.contains(group) { return "the group \(group) may change \(place): sudo chmod g-w \(place)" }
        return nil
    }

    /// The path and every folder above it, from below.
    static func places(on path: String) -> [String] {
        var bytes = Array(path.utf8)
        var places = [path]
        while let slash = bytes.lastIndex(of: UInt8(ascii: "/")) {
            bytes.removeSubrange(slash...)
            places.append(bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self))
        }
        return places
    }
}
