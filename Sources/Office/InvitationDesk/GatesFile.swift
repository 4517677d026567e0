import Credentials
import Files
import Glibc
import Threads

/// The office's `gates.phone`, read again when it changes. While it cannot be read, what was read last goes on: phones need it, and the office
/// replaces it whole.
final class GatesFile: Sendable {
    private struct Content {
        var bytes: [UInt8]
        var mark: Mark?
        /// Why the newest file is not used was reported: once, until one is read again.
        var isReported = false
    }

    /// What changes when a file is written or replaced.
    private struct Mark: Equatable {
        let device: UInt64, inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64
    }

    private let path: String
    private let content: Monitor<Content>
    private let read: @Sendable (String) throws(DeskError) -> [UInt8]
    private let report: @Sendable (DeskError) -> Void

    /// Longer ones no phone takes, in bytes.
    private static let longest = 65_536

    /// Reads the file, which must be one.
    /// - Parameter report: is told why a newer one is not used.
    init(path: String, read: @escaping @Sendable (String) throws(DeskError) -> [UInt8] = GatesFile.read,
         report: @escaping @Sendable (DeskError) -> Void = { _ in }) throws(DeskError) {
        (self.path, self.read, self.report) = (path, read, report)
        let mark = Self.mark(path)
        content = Monitor(Content(bytes: try read(path), mark: mark))
    }

    /// The newest bytes that are a file of gates.
    var bytes: [UInt8] {
        let (bytes, fault) = content.withLock { content in
            let fault = look(&content), isNews = fault != nil && !content.isReported
            content.isReported = content.isReported || isNews
            return (content.bytes, isNews ? fault : nil)
        }
        if let fault { report(fault) }
        return bytes
    }

    /// Reads it if it has changed; why it could not be used.
    private func look(_ content: inout Content) -> DeskError? {
        // Before the bytes: a change between the two is seen the next time.
        let mark = Self.mark(path)
        guard mark != content.mark else { return nil }
        do throws(DeskError) {
            content.bytes = try read(path)
        } catch {
            // Not ours to read for a moment, or no descriptor is free: it may be readable the next time without having changed.
            if case .system = error { return error }
            content.mark = mark
            return error
        }
        (content.mark, content.isReported) = (mark, false)
        return nil
    }

    @Sendable static func read(_ path: String) throws(DeskError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, limit: longest) } catch { throw .system(error) }
        guard let entries = GateListEntry.list(parsing: bytes), !entries.isEmpty else { throw .gates(path: path) }
        return bytes
    }

    private static func mark(_ path: String) -> Mark? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Mark(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino), size: Int64(facts.st_size),
                    seconds: Int64(facts.st_mtim.tv_sec), nanoseconds: Int64(facts.st_mtim.tv_nsec))
    }
}
