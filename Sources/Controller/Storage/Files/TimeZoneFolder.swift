import Files
import Glibc
import SiteRules
import Threads

/// The zones of the system's tz database.
public struct TimeZoneFolder: Sendable {
    private let path: String

    /// - Parameter path: where the zones lie, by their names.
    public init(path: String = "/usr/share/zoneinfo") {
        self.path = path
    }

    /// Reads the data of a zone.
    public func read(_ name: TimeZoneName) throws(TimeZoneFolderError) -> TimeZoneData {
        let file = "\(path)/\(name)"
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(file, limit: TimeZoneData.largestFile)
        } catch {
            // A name of a folder of zones, such as Europe, is no zone either.
            guard [ENOENT, ENOTDIR, EISDIR].contains(error.number) else { throw .unreadable(name, path: file, why: error.message) }
            throw .unknown(name, folder: path, isEmpty: !isFolder)
        }
        do {
            return try TimeZoneData(tzif: bytes)
        } catch {
            throw .unreadable(name, path: file, why: "it holds no zone data (\(error.rawValue))")
        }
    }

    private var isFolder: Bool { (try? FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)) != nil }
}

/// Why a time zone cannot be had.
public enum TimeZoneFolderError: Error, Hashable, Sendable {
    /// The system has no zone of that name, or no zones at all.
    case unknown(TimeZoneName, folder: String, isEmpty: Bool)
    /// Its file cannot be read, or makes no sense.
    case unreadable(TimeZoneName, path: String, why: String)

    /// A stable code.
    public var code: String {
        switch self {
        case .unknown: "time-zone-unknown"
        case .unreadable: "time-zone-unreadable"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .unknown(_, let folder, true): "this machine has no time zones (\(folder)): sudo apt install tzdata"
        case .unknown(let name, let folder, false):
            "there is no time zone '\(name)' in \(folder): write a name such as Europe/Berlin, or sudo apt install tzdata if the name is right."
        case .unreadable(_, let path, let why): "\(path) cannot be used: \(why). sudo apt install --reinstall tzdata"
        }
    }
}
