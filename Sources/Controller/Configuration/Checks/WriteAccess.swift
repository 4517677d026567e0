import Glibc

/// Who may change or replace what stands at a path, besides those who may do so by right: the file itself, and each folder and each link on the
/// way to it, for whoever may write a folder puts another file in its place.
struct WriteAccess {
    /// Somebody who may and should not, in words.
    typealias Finding = String
    /// Where a link leads, as it stands in the link, and whose it is.
    typealias Link = (target: String, owner: UInt32)

    /// As many links as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    private let probe: FileChecks.Probe
    private let link: (String) -> Link?
    private let hasAccessList: (String) -> Bool
    private let owners: Set<UInt32>
    private let groups: Set<UInt32>

    /// - Parameters:
    ///   - link: what a link says; nil for whatever is none.
    ///   - hasAccessList: whether more people than owner and group are named (acl(5)): the group's bits then say the most that any of them may.
    ///   - gateUser: may write by right, as may root and whoever runs this program.
    init(probe: @escaping FileChecks.Probe, link: @escaping (String) -> Link? = MachinePath.link,
         hasAccessList: @escaping (String) -> Bool = MachinePath.hasAccessList, gateUser: FileChecks.GateUser?) {
        self.probe = probe
        self.link = link
        self.hasAccessList = hasAccessList
        owners = Set([0, geteuid(), gateUser?.owner].compactMap { $0 })
        groups = Set([0, getegid(), gateUser?.group].compactMap { $0 })
    }

    /// The first who may write and should not, from the root of the file system on; nil where there is nobody.
    func finding(_ path: String) -> Finding? {
        var pending = Self.parts(of: path.hasPrefix("/") ? path : "\(MachinePath.workingFolder)/\(path)")
        var place = "/", links = 0
        if let finding = finding(at: place) { return finding }
        while let part = pending.popLast() {
            if part == ".." {
                place = Self.folder(of: place)
                continue
            }
            let next = place == "/" ? "/\(part)" : "\(place)/\(part)"
            if let (target, owner) = link(next) {
                links += 1
                guard links <= Self.mostLinks else { return nil }
                // In a folder with the sticky bit it is the owner's to put another link there.
                if !owners.contains(owner) { return "the link \(next) belongs to the user \(owner): sudo chown -h root \(next)" }
                if target.hasPrefix("/") { place = "/" }
                pending += Self.parts(of: target)
            } else {
                if let finding = finding(at: next) { return finding }
                place = next
            }
        }
        return nil
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
        guard mode & 0o020 != 0 else { return nil }
        if !groups.contains(group) { return "the group \(group) may change \(place): sudo chmod g-w \(place)" }
        if hasAccessList(place) { return "an access control list lets others change \(place): sudo setfacl -b \(place)" }
        return nil
    }

    /// The names on a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).reversed().compactMap { String($0) }.filter { $0 != "." }
    }

    private static func folder(of place: String) -> String {
        guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")), slash > place.utf8.startIndex else { return "/" }
        return String(place[..<slash])
    }
}
