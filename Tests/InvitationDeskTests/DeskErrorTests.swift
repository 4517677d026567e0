import Cryptography
import Files
import InvitationDesk
import Storage
import Testing
import Threads

/// What operators are told: a code and a sentence each.
@Suite struct DeskErrorTests {
    static let errors: [(DeskError, String)] = [
        (.noDesk(folder: "f"), "invitations-missing"), (.alreadyThere(folder: "f"), "invitations-exist"),
        (.folderExposed(path: "f", .mode(0o755)), "folder-exposed"), (.keyExposed(path: "k", .owner(3)), "key-exposed"),
        (.key(path: "k", .armour), "key-file-armour"), (.otherSite(settings: "a of b", database: "c of d"), "invitations-of-other-site"),
        (.gates(path: "g"), "gate-list-malformed"), (.noInvitation(1), "invitation-unknown"), (.otherState(1, .open), "invitation-state"),
        (.badName("a"), "bad-name"), (.badAudience("a"), "bad-audience"), (.badCommand("a"), "bad-command"), (.badTimes, "times-out-of-order"),
        (.badNote, "bad-note"), (.token(.tooLong), "token-too-long"), (.tokenTooLong(bytes: 600), "token-too-long-for-tap"),
        (.queueFull, "queue-full"), (.badPassword, "bad-password"), (.signInRefused, "sign-in-refused"), (.noOperator("a"), "operator-unknown"),
        (.logBroken(entry: 1), "invitation-log-broken"), (.cryptography(.wrongLength), "wrong-length"),
        (.system(SystemError("open x", 2)), "system-call-failed"), (.storage(StorageError(.diskFull, "It is full.")), "disk-full")
    ]

    @Test(arguments: errors)
    func eachHasAStableCodeAndASentence(error: DeskError, code: String) {
        #expect(error.code == code)
        #expect(error.message.count > 5)
    }

    @Test func noTwoShareACode() { #expect(Set(Self.errors.map(\.1)).count == Self.errors.count) }
}
