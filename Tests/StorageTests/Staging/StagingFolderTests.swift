import Glibc
import Testing

@testable import Storage

/// Files on their way into the gate (S4): what lies there proves nothing, and takes no room from the journal.
@Suite struct StagingFolderTests {
    let folder: TemporaryFolder
    let hash = [UInt8](repeating: 0xAB, count: 32)
    var name: String { "staging/" + String(repeating: "ab", count: 32) + ".part" }

    init() throws { folder = try TemporaryFolder() }

    private var staging: StagingFolder { StagingFolder(directory: folder.path) }

    private func staging(free: Int64?) -> StagingFolder { StagingFolder(directory: folder.path, freeBytes: { _ in free }) }

    private func content(_ file: StagedFile) -> [UInt8] {
        var bytes: [UInt8] = []
        #expect(file.read { bytes += $0 } == nil)
        return bytes
    }

    @Test func theNextStartGoesOnWhereTheLastOneBrokeOff() throws {
        let part = try staging.part(hash: hash, length: 6)
        #expect(part.count == 0 && !part.isComplete)
        try part.append([1, 2, 3, 4])

        let next = try staging.part(hash: hash, length: 6)
        #expect(next.count == 4)
        try next.append([5, 6])
        #expect(next.isComplete)
        #expect(content(next) == [1, 2, 3, 4, 5, 6])
        var piece = [UInt8](repeating: 0, count: 10)
        #expect(try Glibc.read(next.descriptor(), &piece, 10) == 6)
        #expect(try Glibc.read(next.descriptor(), &piece, 10) == 6, "from its first byte each time")
    }

    @Test func whatIsLongerThanTheFileIsNoPartOfIt() throws {
        try staging.part(hash: hash, length: 6).append([1, 2, 3, 4])
        let part = try staging.part(hash: hash, length: 3)
        #expect(part.count == 0)
        #expect(try folder.bytes(name).isEmpty)
    }

    @Test func aServerThatSendsAllOfItBeginsAnew() throws {
        let part = try staging.part(hash: hash, length: 6)
        try part.append([1, 2, 3, 4])
        try part.beginAnew()
        try part.append([9])
        #expect(content(part) == [9])
    }

    @Test func whatNobodyWantsIsRemovedAndNothingElse() throws {
        let other = [UInt8](repeating: 1, count: 64)
        _ = try staging.part(hash: hash, length: 6)
        _ = try staging.part(hash: other, length: 6)
        try folder.write([1], to: "staging/notes")
        staging.discard(except: [other])
        #expect(!folder.has(name))
        #expect(folder.has("staging/" + String(repeating: "01", count: 64) + ".part"))
        staging.discard()
        #expect(!folder.has("staging/" + String(repeating: "01", count: 64) + ".part"))
        #expect(folder.has("staging/notes"))
    }

    @Test func aFileThatWasUsedIsGone() throws {
        try staging.part(hash: hash, length: 6).remove()
        #expect(!folder.has(name))
    }

    @Test func onlyTheGateAndItsGroupMayRead() throws {
        _ = try staging.part(hash: hash, length: 6)
        #expect(try folder.mode(name) & 0o007 == 0)
        #expect(try folder.mode("staging") & 0o007 == 0)
    }

    /// Three times the file besides, and 64 MiB for the journal.
    @Test func withoutRoomNothingIsBegun() throws {
        let length: Int64 = 100 << 20
        let needed = length + 3 * length + (64 << 20)
        #expect(throws: StagingError.noRoom(needed: needed, free: needed - 1)) { try staging(free: needed - 1).part(hash: hash, length: length) }
        _ = try staging(free: needed).part(hash: hash, length: length)
        #expect(throws: StagingError.noRoom(needed: .max, free: 1 << 40)) { try staging(free: 1 << 40).part(hash: hash, length: .max) }
        // What is there already needs no more room.
        try staging.part(hash: hash, length: length).append([UInt8](repeating: 0, count: 1 << 20))
        _ = try staging(free: needed - (1 << 20)).part(hash: hash, length: length)
    }

    @Test func whereNobodyKnowsHowMuchIsFreeTheWriteSays() throws {
        _ = try staging(free: nil).part(hash: hash, length: .max)
    }

    @Test func aLinkInThePlaceOfAPartIsNotFollowed() throws {
        staging.discard()
        _ = try staging.part(hash: hash, length: 6)
        unlink(folder.path(name))
        try folder.write([7], to: "precious")
        #expect(symlink(folder.path("precious"), folder.path(name)) == 0)
        #expect { try staging.part(hash: hash, length: 6) } throws: { ($0 as? StagingError)?.code == "staging-failed" }
        #expect(try folder.bytes("precious") == [7])
    }

    @Test func aFolderThatCannotBeMadeIsSaid() {
        let nowhere = StagingFolder(directory: folder.path("nowhere"))
        #expect { try nowhere.part(hash: hash, length: 6) } throws: { ($0 as? StagingError)?.code == "staging-failed" }
    }
}
