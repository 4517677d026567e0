import Files
import Glibc
import Threads

/// The USB ports that the gate has shut at this moment, kept in a file of the state folder. A gate that is killed between shutting
/// a port and opening it would leave its reader without one for good: the next gate opens what is written there.
///
/// The file is not synced to the disk: a power cut opens every port by itself.
///
/// The threads of readers call. `folders` guards the set, and is held while the file is written, so that the file is never older.
public final class ShutPorts: Sendable {
    /// The file's name in the state folder.
    static let fileName = "ports.shut"
    private static let longest = 1 << 16
    private static let shut = UInt8(ascii: "0")

    private let path: String
    private let folders = Mutex<Set<String>>([])

    /// - Parameter directory: the state folder.
    public init(directory: String) {
        path = "\(directory)/\(Self.fileName)"
    }

    /// Opens the ports that an earlier gate has left shut. Before anybody shuts one.
    /// - Returns: which ones, each with what kept it from being opened.
    public func openLeftBehind() -> [(port: String, failure: SystemError?)] {
        guard let bytes = try? SmallFile.read(path, limit: Self.longest) else { return [] }
        let left = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        var tried: [(port: String, failure: SystemError?)] = []
        // Unplugged, or opened by somebody else.
        for folder in left where Self.isShut(folder) {
            do throws(SystemError) {
                try Self.open(folder)
                tried.append((folder, nil))
            } catch {
                tried.append((folder, error))
            }
        }
        // What cannot be opened stays written down: the gate after this one tries again.
        keep { folders in
            for (folder, failure) in tried where failure != nil { folders.insert(folder) }
        }
        return tried
    }

    private static func isShut(_ folder: String) -> Bool {
        (try? SmallFile.read("\(folder)/authorized", limit: 16))?.first == shut
    }

    /// Shuts the port of that device for as long as `body` takes, and opens it. A port that cannot be opened stays written down, for the next
    /// attempt or the next gate.
    /// - Parameter folder: the kernel's folder of a USB device.
    func whileShut(_ folder: String, _ body: () -> Void) throws(SystemError) {
        keep { $0.insert(folder) }
        do throws(SystemError) {
            try Self.write("0", folder)
        } catch {
            keep { $0.remove(folder) }
            throw error
        }
        body()
        try Self.open(folder)
        keep { $0.remove(folder) }
    }

    private static func open(_ folder: String) throws(SystemError) { try write("1", folder) }

    private static func write(_ word: String, _ folder: String) throws(SystemError) {
        try FileDescriptor(path: "\(folder)/authorized", flags: O_WRONLY).write(Array(word.utf8))
    }

    /// A note that cannot be written keeps nobody from bringing the reader back.
    private func keep(_ change: (inout Set<String>) -> Void) {
        folders.withLock { folders in
            change(&folders)
            if folders.isEmpty {
                unlink(path)
            } else {
                try? Self.replace(path, folders.sorted().joined(separator: "\n"))
            }
        }
    }

    private static func replace(_ path: String, _ text: String) throws(SystemError) {
        let fresh = try FileReplacement(of: path, mode: 0o600)
        try fresh.write(Array(text.utf8))
        try fresh.finish(isDurable: false)
    }
}
