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
