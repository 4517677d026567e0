import Cryptography
import Foundation
import Testing

@testable import Authority

/// Whoever may write beside a repository laid a link, and `publish` took the office's keys and database for old files of the repository.
@Suite("Links in a repository lead nowhere") struct PlantedLinkTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    var scratch: ScratchFolder { fixture.scratch }

    init() throws {
        fixture = try RepositoryFixture()
        try fixture.makeTogether()
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
    }

    /// All files are older than what may be taken away.
    private func age(_ folder: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.path(folder)) {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: scratch.path("\(folder)/\(name)"))
        }
    }

    private func link(_ name: String, to folder: String) throws {
        try FileManager.default.moveItem(atPath: scratch.path(name), toPath: scratch.path("moved"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path(name), withDestinationPath: scratch.path(folder))
    }

    @Test(arguments: ["repo", "repo/metadata", "repo/targets", "repo/targets/site", "repo/targets/people"], ["site", "site/roles"])
    func publicationTakesNothingOfAnOfficeAway(name: String, office: String) throws {
        try fixture.enrol("ben")
        try age("site")
        let before = try [scratch.names("site"), scratch.names("site/roles")]
        try link(name, to: office)
        #expect(throws: AuthorityError.repository(.insideOffice(path: fixture.path))) { try authority.publish(now: now) }
        #expect(throws: AuthorityError.repository(.insideOffice(path: fixture.path))) { try authority.refreshTimestamp(now: now) }
        #expect(try [scratch.names("site"), scratch.names("site/roles")] == before)
    }

    @Test(arguments: ["", "/metadata", "/targets", "/targets/site", "/targets/people"])
    func norOfAnybodyElse(name: String) throws {
        let theirs = ["1.people.json", "\(String(repeating: "a", count: 64)).full", "\(String(repeating: "a", count: 64)).data"]
        try scratch.makeFolder("elsewhere")
        for file in theirs { try scratch.write("elsewhere/\(file)", [1]) }
        try age("elsewhere")
        try link("repo\(name)", to: "elsewhere")
        try fixture.enrol("ben")
        #expect(throws: AuthorityError.repository(.linked(path: fixture.path + name))) { try authority.publish(now: now) }
        #expect(try scratch.names("elsewhere") == Set(theirs))
    }

    @Test func norDoesAStickLeadElsewhere() throws {
        _ = try authority.publishStick(to: scratch.path("stick"), validSeconds: 60, now: now)
        try scratch.makeFolder("elsewhere")
        try link("stick/metadata", to: "elsewhere")
        let linked = AuthorityError.repository(.linked(path: scratch.path("stick/metadata")))
        #expect(throws: linked) { try authority.publishStick(to: scratch.path("stick"), validSeconds: 60, now: now) }
        #expect(throws: linked) { try RepositoryCheck.run(scratch.path("stick"), at: now) }
        #expect(try scratch.names("elsewhere").isEmpty)
    }

    /// An older program made it so: everybody gets the keys.
    @Test func aRepositoryAmongTheKeysIsRefusedBeforeAnythingIsWritten() throws {
        let inside = authority.folder.path + "/repo"
        try authority.database.setRepository(path: inside, epoch: 1)
        #expect(throws: AuthorityError.repository(.insideOffice(path: inside))) { try authority.publish(now: now) }
        #expect(try !scratch.names("site").contains("repo"))
        let around = scratch.path
        try authority.database.setRepository(path: around, epoch: 1)
        #expect(throws: AuthorityError.repository(.insideOffice(path: around))) { try authority.publish(now: now) }
        #expect(try !scratch.names().contains("metadata"))
    }

    @Test func onlyWhatWasPublishedIsTakenAway() throws {
        let hash = String(repeating: "a", count: 64), other = String(repeating: "b", count: 64)
        let theirs = ["metadata/index.html", "metadata/01.people.json", "targets/site/authority.db", "targets/people/\(hash).full.bak", "targets/people/\(hash.dropLast()).full"]
        for file in theirs + ["targets/people/\(hash).full", "targets/site/\(hash).data"] { try scratch.write("repo/\(file)", [1]) }
        try scratch.makeFolder("repo/targets/people/\(other).full")
        try age("repo")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("repo/targets/people/\(other).since-1"), withDestinationPath: scratch.path("site/authority.db"))
        try fixture.enrol("ben")
        _ = try authority.publish(now: now)
        let metadata = try scratch.names("repo/metadata"), people = try scratch.names("repo/targets/people"), site = try scratch.names("repo/targets/site")
        #expect(!metadata.contains("1.people.json") && !people.contains("\(hash).full") && !site.contains("\(hash).data"), "old files are taken away")
        for file in theirs { #expect(FileManager.default.fileExists(atPath: scratch.path("repo/\(file)")), "\(file)") }
        #expect(people.isSuperset(of: ["\(other).full", "\(other).since-1"]))
        _ = try fixture.check()
    }

    /// A stick got whatever lay in the place of a file.
    @Test func onlyWhatWasSignedIsCopied() throws {
        let bytes: [UInt8] = [1, 2, 3], from = RepositoryFolder(path: fixture.path), to = RepositoryFolder(path: scratch.path("stick"))
        try to.makeFolders()
        let signed = SignedPart.File(path: SignedPart.siteData, length: bytes.count, hash: SHA256.hash(bytes))
        for wrong in [[1, 2], [1, 2, 4], [1, 2, 3, 4]] as [[UInt8]] {
            try scratch.write("repo/targets/\(signed.fileName)", wrong)
            #expect(throws: AuthorityError.self) { try to.copyTarget(signed, from: from) }
            #expect(try scratch.names("stick/targets/site").isEmpty)
        }
        try scratch.write("repo/targets/\(signed.fileName)", bytes)
        try to.copyTarget(signed, from: from)
        #expect(try scratch.bytes("stick/targets/\(signed.fileName)") == bytes)
    }
}
