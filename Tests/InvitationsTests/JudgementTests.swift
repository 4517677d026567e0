import Invitations
import Testing

/// What becomes of an invitation at a moment.
@Suite struct JudgementTests {
    private let mine = [UInt8](repeating: 1, count: 32), other = [UInt8](repeating: 2, count: 32)

    private func invitation(_ state: InvitationState, notBefore: Int64? = nil) -> Invitation {
        let wanted = NewInvitation(subject: "Ada", notBefore: notBefore, expires: noon + 10_000)
        return Invitation(id: 1, wanted: wanted, opensUntil: noon + 1000, madeBy: "op", madeAt: noon, state: state)
    }

    private var used: InvitationUse { InvitationUse(thumbprint: mine, at: noon, userVerified: false) }

    @Test func aCodeIsForOneKeyForTenMinutes() throws {
        #expect(try invitation(.open).redemption(by: mine, now: noon) == .fresh)
        let redeemed = invitation(.redeemed(used))
        #expect(try redeemed.redemption(by: mine, now: noon + 599) == .again)
        #expect(throws: InvitationFault.codeUsed) { try redeemed.redemption(by: mine, now: noon + 600) }
        #expect(throws: InvitationFault.codeUsed) { try redeemed.redemption(by: other, now: noon) }
        #expect(throws: Never.self) { try redeemed.checkBeginning(now: noon + 599) }
        #expect(throws: InvitationFault.codeUsed) { try redeemed.checkBeginning(now: noon + 600) }
    }

    @Test func aCodeEnds() {
        #expect(throws: InvitationFault.codeExpired) { try invitation(.open).redemption(by: mine, now: noon + 1000) }
        #expect(throws: InvitationFault.codeWithdrawn) { try invitation(.withdrawn).redemption(by: mine, now: noon) }
        #expect(throws: InvitationFault.notYet(from: 0)) { try invitation(.open, notBefore: noon + 1).redemption(by: mine, now: noon) }
        #expect(throws: Never.self) { try invitation(.open, notBefore: noon).redemption(by: mine, now: noon) }
    }

    @Test func whoHasOnlyTheCodeLearnsNoMoreThanThatItWasUsed() {
        for state in [InvitationState.suspended(used), .revoked(used)] {
            #expect(throws: InvitationFault.codeUsed) { try invitation(state).redemption(by: other, now: noon) }
        }
        #expect(throws: InvitationFault.suspended) { try invitation(.suspended(used)).redemption(by: mine, now: noon) }
        #expect(throws: InvitationFault.revoked) { try invitation(.revoked(used)).redemption(by: mine, now: noon) }
    }

    @Test func whoHasItRenewsUntilItIsOver() {
        #expect(throws: Never.self) { try invitation(.redeemed(used)).checkRenewal(now: noon + 9_999) }
        #expect(throws: InvitationFault.over) { try invitation(.redeemed(used)).checkRenewal(now: noon + 10_000) }
        #expect(throws: InvitationFault.suspended) { try invitation(.suspended(used)).checkRenewal(now: noon) }
        #expect(throws: InvitationFault.revoked) { try invitation(.revoked(used)).checkRenewal(now: noon) }
    }

    @Test func aTokenNeverOutlivesItsInvitation() {
        #expect(invitation(.open).tokenTimes(now: noon, tokenValid: 400) == (noon - 300, noon + 100), "no longer than a ceiling of 400 s lets it be")
        #expect(invitation(.open).tokenTimes(now: noon, tokenValid: 86_400) == (noon - 300, noon + 10_000))
        #expect(invitation(.open, notBefore: noon - 1).tokenTimes(now: noon, tokenValid: 100).notBefore == noon - 1)
    }
}
