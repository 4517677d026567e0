import Cryptography
import Files
import Threads

/// A small file that always holds the last or the last but one value written: two slots used in turn,
/// each sealed with a SHA-256, so that a torn write leaves the other one.
final class SlotFile: Sendable {
    /// The bytes one value may have.
    static let capacity = 512 - overhead
    private static let slotLength = 512
    private static let magic = Array("TSSLOT1\n".utf8)
    /// Magic, counter, length, seal.
    private static let overhead = 8 + 8 + 2 + 32

    private let file: FileDescriptor
    /// The number of the newest write; the parity chooses the slot.
    private let counter: Monitor<UInt64>

    /// Opens or creates the file. It is not read before `newest` is asked.
    init(path: String) throws(StorageError) {
        file = try StorageFolder.make(path)
        counter = Monitor(0)
        _ = try newest()
    }

    /// Takes the file for this process until it is closed.
    /// - Throws: `storage-in-use` if another holder exists.
    func lock() throws(StorageError) {
        guard (try? file.lock()) == true else {
            throw StorageError(.inUse, "Another process works on this folder.")
        }
    }

    /// Gives the lock back without closing.
    func unlock() { file.unlock() }

    /// The newest value with an intact seal.
    func newest() throws(StorageError) -> [UInt8]? {
        var best: (number: UInt64, value: [UInt8])?
        for slot in 0..<2 {
            let bytes = try withStorageErrors { () throws(SystemError) in
                try file.read(count: Self.slotLength, at: slot * Self.slotLength)
            }
            guard let found = Self.opened(bytes) else { continue }
            if found.number > best?.number ?? 0 { best = found }
        }
        let number = best?.number ?? 0
        counter.withLock { $0 = max($0, number) }
        return best?.value
    }

    /// Writes a value of at most `capacity` bytes.
    /// - Parameter synced: wait until it is on the disk.
    func write(_ value: [UInt8], synced: Bool) throws(StorageError) {
        precondition(value.count <= Self.capacity, "values of a slot file have a fixed small shape")
        let number = counter.withLock { last -> UInt64 in
            last += 1
            return last
        }
        try withStorageErrors { () throws(SystemError) in
            try file.write(Self.sealed(value, number: number), at: Int(number % 2) * Self.slotLength)
            if synced { try file.sync() }
        }
    }

    private static func sealed(_ value: [UInt8], number: UInt64) -> [UInt8] {
        var slot = magic
        slot += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
        slot += [UInt8(value.count >> 8), UInt8(value.count & 0xff)]
        slot += value
        return slot + SHA256.hash(slot)
    }

    private static func opened(_ slot: [UInt8]) -> (number: UInt64, value: [UInt8])? {
        guard slot.count >= overhead, Array(slot[0..<8]) == magic else { return nil }
        let number = slot[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let end = 18 + Int(slot[16]) << 8 + Int(slot[17])
        guard end + 32 <= slot.count, SHA256.hash(Array(slot[0..<end])) == Array(slot[end..<(end + 32)]) else { return nil }
        return (number, Array(slot[18..<end]))
    }
}
