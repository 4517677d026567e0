import Credentials
import Cryptography
import Glibc
@testable import InvitationDesk
import Testing
import Threads

/// What phones are given of the gates.
@Suite struct GatesFileTests {
    /// New keys of gates reach phones without a restart; a file that is half there does not.
    @Test func gatesAreReadAgainWhenTheyChange() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, _) = try all.invite()
        try all.redeem(code, key)
        let more = DeskFixture.gates + GateListEntry.issuer(GateIssuer(site: "north", name: "new", key: key.publicKey)).encoded
        try all.scratch.write("gates.phone", more)
        #expect(try all.renew(key).gates == more)
        try all.scratch.write("gates.phone", Array(more.dropLast()))
        #expect(try all.renew(key).gates == more)
        try all.scratch.remove("gates.phone")
        #expect(try all.renew(key).gates == more)
        #expect(throws: DeskError.self) { try all.another() }
    }

    /// A change of keys that arrives broken is told to somebody: once, and again after a good one.
    @Test func gatesThatAreNoneAreReportedOnce() throws {
        let scratch = try ScratchFolder(), told = Mutex<[DeskError]>([]), path = scratch.path("gates.phone")
        try scratch.write("gates.phone", DeskFixture.gates)
        let file = try GatesFile(path: path, report: { error in told.withLock { $0.append(error) } })
        for bytes in [[0xFF], [0xFF, 0xFF], []] as [[UInt8]] {
            try scratch.write("gates.phone", bytes)
            #expect(file.bytes == DeskFixture.gates && file.bytes == DeskFixture.gates)
        }
        #expect(told.withLock { $0 } == [.gates(path: path)])
        try scratch.write("gates.phone", DeskFixture.gates + DeskFixture.gates)
        #expect(file.bytes == DeskFixture.gates + DeskFixture.gates)
        try scratch.write("gates.phone", [0xFF])
        _ = file.bytes
        #expect(told.withLock { $0.count } == 2)
    }

    /// `install` copies first and hands over then: a file that could not be read for a moment is no old one from then on.
    @Test func gatesThatCouldNotBeReadAreReadTheNextTime() throws {
        let scratch = try ScratchFolder(), isAway = Mutex(false)
        try scratch.write("gates.phone", DeskFixture.gates)
        let file = try GatesFile(path: scratch.path("gates.phone")) { path throws(DeskError) in
            if isAway.withLock({ $0 }) { throw .system(SystemError("open \(path)", EACCES)) }
            return try GatesFile.read(path)
        }
        let fresh = GateListEntry.issuer(GateIssuer(site: "north", name: "new", key: try SigningKey.generate().publicKey)).encoded
        try scratch.write("gates.phone", fresh)
        isAway.withLock { $0 = true }
        #expect(file.bytes == DeskFixture.gates)
        isAway.withLock { $0 = false }
        #expect(file.bytes == fresh)
    }
}
