import CLinux
import Glibc

/// Paths and addresses of this machine.
enum MachinePath {
    /// The path without links; nil where there is nothing.
    static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What a link says, and whose it is; nil for whatever is none.
    static func link(_ path: String) -> WriteAccess.Link? {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK else { return nil }
        // What does not fit is longer than any path that the kernel follows.
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        return count > 0 ? (String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self), facts.st_uid) : nil
    }

    /// Whether a file or folder has an access control list of more than its permission bits (acl(5)).
    static func hasAccessList(_ path: String) -> Bool { clinux_has_access_list(path) == 1 }

    /// The folder that relative paths begin at; "" where that is gone.
    static var workingFolder: String {
        guard let folder = getcwd(nil, 0) else { return "" }
        defer { free(folder) }
        return String(cString: folder)
    }

    /// What stands after the last slash; nil where nothing does.
    static func name(_ path: String) -> String? { path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } }

    /// Whether a text is an address of IPv4 or IPv6.
    static func isNetworkAddress(_ text: String) -> Bool {
        var four = in_addr(), six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    /// The names in a folder, in order; none where there is no folder.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.sorted()
    }
}
