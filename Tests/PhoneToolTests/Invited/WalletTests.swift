import Credentials
import Cryptography
import Encoding
import Foundation
import Invitations
import PhoneTool
import Testing
import VirtualPhone

@Suite("The wallet")
struct WalletTests {
    let scratch: ScratchFolder
    let server: InvitingServer
    let wallet: Wallet

    init() throws {
        scratch = try ScratchFolder()
        server = try InvitingServer()
        wallet = Wallet(path: scratch.path("data/phone"))
    }

    private func redemption(_ wallet: Wallet) -> Redemption { Redemption(wallet: wallet, way: server) { self.server.now } }

    /// All files of the one access, by name.
    private func files(_ wallet: Wallet) throws -> [String: [UInt8]] {
        let access = try #require(try wallet.accesses().first)
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: access.folder) {
            files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(access.folder)/\(name)")))
        }
        return files
    }

    /// In this order they get onto the disk, each whole: after a crash there are the first few of them.
    private static let order = ["key", "invitation.json", "gates.phone", "token", "access.json"]

    @Test(arguments: 0...order.count)
    func afterACrashAtAnyPointTheLinkGoesOnWithTheSameKey(count: Int) throws {
        // The code has to be kept for the copy: the answer that ends it is lost first.
        server.tamper = { (name, answer) throws(InvitedFault) in if name == "redeem" { throw .server(.lost, detail: "") } else { return answer } }
        _ = try? redemption(wallet).redeem(server.link)
        var all = try files(wallet)
        #expect(Set(all.keys) == ["key", "invitation.json"])
        server.tamper = { (_, answer) throws(InvitedFault) in answer }
        let (access, _) = try redemption(wallet).redeem(server.link)
        all.merge(try files(wallet)) { first, _ in first }
        #expect(try files(wallet)["invitation.json"] == nil, "the code is erased")

        let crashed = Wallet(path: scratch.path("crashed"))
        let folder = "\(crashed.path)/\(access.name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: crashed.path)
        for name in Self.order.prefix(count) { try Data(all[name] ?? []).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        if count == 0 {
            // The server knows another key: the same link is nobody's any more.
            #expect { try redemption(crashed).redeem(server.link) } throws: { ($0 as? PhoneToolError)?.code == "code-used" }
            return
        }
        let (_, outcome) = try redemption(crashed).redeem(server.link)
        #expect(outcome == (count == Self.order.count ? .kept : .received))
        let after = try files(crashed)
        #expect(after == (try files(wallet)), "the same key, the same token, no code")
    }

    @Test func aLostAnswerOfLongAgoIsRenewedByTheSameKey() throws {
        server.tamper = { (name, answer) throws(InvitedFault) in if name == "redeem" { throw .server(.slow, detail: "") } else { return answer } }
        #expect { try redemption(wallet).redeem(server.link) } throws: { ($0 as? PhoneToolError)?.code == "server-slow" }
        let key = try files(wallet)["key"]
        server.tamper = { (_, answer) throws(InvitedFault) in answer }
        server.now += 601
        let pending = try #require(try wallet.accesses().first)
        #expect(try redemption(wallet).resume(pending).1 == .received)
        #expect(server.requests.suffix(5) == ["begin", "nonce", "redeem", "nonce", "renew"])
        #expect(try files(wallet)["key"] == key && files(wallet)["invitation.json"] == nil)
    }

    @Test func aRefusalThatIsFinalLeavesNothingOfAFirstTry() throws {
        let other = InvitationLink(server: server.link.server, code: InvitationCode.make())
        #expect { try redemption(wallet).redeem(other) } throws: { ($0 as? PhoneToolError)?.code == "code-unknown" }
        #expect(try wallet.accesses().isEmpty)
        server.tamper = { (_, _) throws(InvitedFault) in ServerAnswer(status: 503, body: InvitationFault.databaseAway.json.canonical) }
        #expect { try redemption(wallet).redeem(other) } throws: { ($0 as? PhoneToolError)?.code == "database-away" }
        #expect(try wallet.accesses().count == 1)
        // What a second try hears takes nothing away: the first one may have been heard.
        server.tamper = { (_, answer) throws(InvitedFault) in answer }
        #expect { try redemption(wallet).redeem(other) } throws: { ($0 as? PhoneToolError)?.code == "code-unknown" }
        #expect(try wallet.accesses().count == 1)
    }

    @Test func aRenewalIsDueWhenAThirdOfTheLifeIsLeft() throws {
        let (access, _) = try redemption(wallet).redeem(server.link)
        let kept = try access.kept()
        let (begin, end) = (kept.terms.notBefore, kept.terms.expires)
        let third = (end - begin) / 3
        #expect(kept.validity(at: begin - 1) == .notYet && kept.validity(at: begin) == .valid)
        #expect(kept.validity(at: end - third - 1) == .valid && kept.validity(at: end - third) == .due)
        #expect(kept.validity(at: end - 1) == .due && kept.validity(at: end) == .over)
        #expect(kept.validity(at: kept.terms.renewUntil - 1) == .over && kept.validity(at: kept.terms.renewUntil) == .ended)
        let token = try files(wallet)["token"]
        #expect(try redemption(wallet).renew(access) == .kept)
        #expect(try files(wallet)["token"] == token)
        server.now = end - third
        #expect(try redemption(wallet).renew(access) == .received)
        #expect(try files(wallet)["token"] != token)
    }

    @Test func aTokenThatCannotBeLongerIsNotDue() throws {
        server.renewUntil = server.now + 3600
        let (access, _) = try redemption(wallet).redeem(server.link)
        #expect(try access.kept().validity(at: server.now + 3599) == .valid)
    }

    @Test func aFailedRenewalTouchesNothing() throws {
        let (access, _) = try redemption(wallet).redeem(server.link)
        let before = try files(wallet)
        let south = GateCredential(site: "south", key: try SigningKey.generate(.p256).publicKey).claims
        server.tamper = { (name, answer) throws(InvitedFault) in
            guard name == "renew" else { return answer }
            var object = try answer.object()
            object["gates"] = .string(Base64.encode(south, .url))
            return ServerAnswer(status: 200, body: JSON.object(object).canonical)
        }
        #expect(throws: PhoneToolError.invited(.answer(.otherSite))) { try redemption(wallet).renew(access, isForced: true) }
        #expect(try files(wallet) == before)
    }

    @Test func namesAreFoundByTheirBeginningAndSitesByTheBestToken() throws {
        let (first, _) = try redemption(wallet).redeem(server.link)
        let second = try InvitingServer()
        second.lifetime = 2 * 86_400
        let (later, _) = try Redemption(wallet: wallet, way: second) { second.now }.redeem(second.link)
        #expect(try wallet.access(named: String(first.name.prefix(8))) == first)
        #expect(try wallet.accesses(ofSite: "north", at: server.now) == [later, first])
        #expect(throws: PhoneToolError.wallet(.unknown("south"))) { try wallet.accesses(ofSite: "south", at: 0) }
        #expect(throws: PhoneToolError.wallet(.unknown(""))) { try wallet.access(named: "") }
        let shown = try PhoneIdentity(try wallet.accesses(ofSite: "north", at: server.now).map { $0.membershipFiles(byReference: false) })
        #expect(shown.memberships.count == 2 && shown.signs)
    }

    @Test func whatIsDamagedIsNamedAndHidesNoOther() throws {
        let (access, _) = try redemption(wallet).redeem(server.link)
        let second = try InvitingServer()
        _ = try Redemption(wallet: wallet, way: second) { second.now }.redeem(second.link)
        for text in ["", "{}", "[]", #"{"url":"http://gates.example"}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(access.folder)/access.json"))
            #expect(throws: PhoneToolError.wallet(.damaged(path: "\(access.folder)/access.json"))) { try access.state() }
        }
        #expect(try wallet.accesses(ofSite: "north", at: server.now).count == 1)
    }

    @Test func aFolderThatOthersMayUseIsRefused() throws {
        _ = try redemption(wallet).redeem(server.link)
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: wallet.path)
        #expect(throws: PhoneToolError.wallet(.exposed(path: wallet.path))) { try wallet.accesses() }
        #expect(throws: PhoneToolError.wallet(.exposed(path: wallet.path))) { try redemption(wallet).redeem(server.link) }
    }

    @Test func anAccessIsOneProgramsAtATime() throws {
        let (access, _) = try redemption(wallet).redeem(server.link)
        let place = try WalletPlace(access)
        #expect(throws: PhoneToolError.wallet(.busy(name: access.name))) { try redemption(wallet).renew(access, isForced: true) }
        try place.remove()
        #expect(try wallet.accesses().isEmpty && FileManager.default.contentsOfDirectory(atPath: wallet.path).isEmpty)
    }
}
