import CSQLite
import Foundation
import Threads
import Waits

/// An SQLite VFS that is the real one until told otherwise: it counts the calls that reach the disk and
/// fails the n-th and those after it, until healed. One per test; registered for the life of the process,
/// because SQLite keeps pointers to it.
final class FaultyFileSystem: @unchecked Sendable {
    /// The calls that can fail.
    enum Call: Hashable, CaseIterable { case write, sync, truncate, read }

    let name: String
    private let lock = NSLock()
    private var failing: (calls: Set<Call>, at: Int, result: Int32)?
    private var seen = 0
    private var injected = 0
    private var syncs: [String: Int] = [:]
    private var onSync: (@Sendable (String) -> Void)?
    private var onChange: (@Sendable () -> Void)?
    private var healAfter: Int?
    private var isReadOnly = false
    private let held = Monitor<Set<Call>>([])

    init() {
        name = "faulty-\(UUID().uuidString)"
        Registry.shared.register(self)
    }

    /// Fails the `at`-th (from 1) of these calls from now on and all that follow, or only `times` of them.
    func fail(_ calls: Set<Call>, at: Int, with result: Int32, times: Int? = nil) {
        lock.withLock {
            failing = (calls, at, result)
            seen = 0
            injected = 0
            healAfter = times
        }
    }

    /// Databases can be opened for reading only from now on, as on a file system that is mounted so; or can be written again.
    func openReadOnly(_ isReadOnly: Bool) { lock.withLock { self.isReadOnly = isReadOnly } }

    fileprivate func flags(_ flags: Int32) -> Int32 {
        let isRefused = lock.withLock { isReadOnly } && flags & SQLITE_OPEN_MAIN_DB != 0
        return isRefused ? flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY : flags
    }

    /// Everything works again. Answers how many calls have failed.
    @discardableResult func heal() -> Int {
        lock.withLock {
            failing = nil
            return injected
        }
    }

    /// How often the file whose name ends so was synced.
    func syncCount(_ suffix: String) -> Int {
        lock.withLock { syncs.filter { $0.key.hasSuffix(suffix) }.values.reduce(0, +) }
    }

    /// Called after each sync that succeeded, with the file's path.
    func watchSyncs(_ body: @escaping @Sendable (String) -> Void) {
        lock.withLock { onSync = body }
    }

    /// Called before each call that would change a file.
    func watchChanges(_ body: (@Sendable () -> Void)?) {
        lock.withLock { onChange = body }
    }

    /// These calls hang from now on, as on a disk that does not answer.
    func hang(_ calls: Set<Call>) {
        held.change { $0 = calls }
    }

    /// The calls that hang, and all later ones, go on.
    func answer() {
        held.change { $0 = [] }
    }

    fileprivate func judge(_ call: Call) -> Int32 {
        held.hold("the disk") { $0.contains(call) }
        if call != .read { lock.withLock { onChange }?() }
        return lock.withLock {
            guard let failing, failing.calls.contains(call) else { return SQLITE_OK }
            seen += 1
            guard seen >= failing.at, injected < healAfter ?? .max else { return SQLITE_OK }
            injected += 1
            return failing.result
        }
    }

    fileprivate func synced(_ path: String) {
        let told = lock.withLock { () -> (@Sendable (String) -> Void)? in
            syncs[path, default: 0] += 1
            return onSync
        }
        told?(path)
    }
}

/// Finds the file system of an open file: SQLite's callbacks bring only a pointer.
private final class Registry: @unchecked Sendable {
    static let shared = Registry()

    private let lock = NSLock()
    private var files: [UnsafeMutableRawPointer: (system: FaultyFileSystem, path: String)] = [:]
    private var systems: [UnsafeMutableRawPointer: FaultyFileSystem] = [:]
    /// The real methods and the table that stands before them, by the address of the real ones.
    private var tables: [UnsafeRawPointer: UnsafeMutablePointer<sqlite3_io_methods>] = [:]
    private var real: [UnsafeRawPointer: UnsafePointer<sqlite3_io_methods>] = [:]

    func register(_ system: FaultyFileSystem) {
        guard let original = sqlite3_vfs_find(nil) else { return }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: original.pointee)
        vfs.pointee.zName = UnsafePointer(strdup(system.name))
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            guard let vfs, let file, let original = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
            let result = original.pointee.xOpen(original, path, file, Registry.shared.system(vfs)?.flags(flags) ?? flags, outFlags)
            if result == SQLITE_OK { Registry.shared.opened(file, path: path, in: vfs) }
            return result
        }
        lock.withLock { systems[UnsafeMutableRawPointer(vfs)] = system }
        sqlite3_vfs_register(vfs, 0)
    }

    func opened(_ file: UnsafeMutablePointer<sqlite3_file>, path: sqlite3_filename?, in vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        lock.withLock {
            guard let system = systems[UnsafeMutableRawPointer(vfs)], let methods = file.pointee.pMethods else { return }
            files[UnsafeMutableRawPointer(file)] = (system, path.map { String(cString: $0) } ?? "")
            file.pointee.pMethods = UnsafePointer(table(before: methods))
        }
    }

    func system(_ file: UnsafeMutablePointer<sqlite3_file>?) -> (system: FaultyFileSystem, path: String)? {
        guard let file else { return nil }
        return lock.withLock { files[UnsafeMutableRawPointer(file)] }
    }

    func system(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) -> FaultyFileSystem? {
        lock.withLock { systems[UnsafeMutableRawPointer(vfs)] }
    }

    func methods(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods? {
        guard let table = file?.pointee.pMethods else { return nil }
        return lock.withLock { real[UnsafeRawPointer(table)]?.pointee }
    }

    func closed(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard let file else { return }
        lock.withLock { _ = files.removeValue(forKey: UnsafeMutableRawPointer(file)) }
    }

    private func table(before methods: UnsafePointer<sqlite3_io_methods>) -> UnsafeMutablePointer<sqlite3_io_methods> {
        if let known = tables[UnsafeRawPointer(methods)] { return known }
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: methods.pointee)
        table.pointee.xWrite = { file, bytes, count, offset in
            let failure = Registry.shared.system(file)?.system.judge(.write) ?? SQLITE_OK
            if failure != SQLITE_OK { return failure }
            return Registry.shared.methods(file)?.xWrite(file, bytes, count, offset) ?? SQLITE_ERROR
        }
        table.pointee.xRead = { file, bytes, count, offset in
            let failure = Registry.shared.system(file)?.system.judge(.read) ?? SQLITE_OK
            if failure != SQLITE_OK { return failure }
            return Registry.shared.methods(file)?.xRead(file, bytes, count, offset) ?? SQLITE_ERROR
        }
        table.pointee.xTruncate = { file, size in
            let failure = Registry.shared.system(file)?.system.judge(.truncate) ?? SQLITE_OK
            if failure != SQLITE_OK { return failure }
            return Registry.shared.methods(file)?.xTruncate(file, size) ?? SQLITE_ERROR
        }
        table.pointee.xSync = { file, flags in
            let known = Registry.shared.system(file)
            let failure = known?.system.judge(.sync) ?? SQLITE_OK
            if failure != SQLITE_OK { return failure }
            let result = Registry.shared.methods(file)?.xSync(file, flags) ?? SQLITE_ERROR
            if result == SQLITE_OK, let known { known.system.synced(known.path) }
            return result
        }
        table.pointee.xClose = { file in
            let real = Registry.shared.methods(file)
            Registry.shared.closed(file)
            return real?.xClose(file) ?? SQLITE_ERROR
        }
        tables[UnsafeRawPointer(methods)] = table
        real[UnsafeRawPointer(table)] = methods
        return table
    }
}
