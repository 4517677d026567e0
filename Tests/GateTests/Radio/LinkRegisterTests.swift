import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("The links of one radio (T5, T6)") struct LinkRegisterTests {
    let phone = LinkIdentifier(1)

    /// A radio in classic mode: nobody is measured, so that the rest stands out.
    private func register(limit: Int = 3) -> LinkRegister {
        LinkRegister(rules: RadioRules(mode: .classic(lanes: ["main"]), limit: limit))
    }

    private func conversing(_ register: inout LinkRegister, since milliseconds: Int64 = 0) {
        _ = register.opened(phone, at: at(milliseconds))
        #expect(register.wrote(phone, at: at(milliseconds)) == [.admit(phone, lanes: ["main"])])
    }

    // The limit (T6) -------------------------------------------------------------------------------

    @Test(arguments: 1...7) func furtherLinksAreDroppedAtOnce(limit: Int) {
        var register = register(limit: limit)
        for id in 1...UInt64(limit) { #expect(register.opened(LinkIdentifier(id), at: at(0)) == []) }
        let further = LinkIdentifier(99)
        #expect(register.opened(further, at: at(0)) == [.drop(further, .tooMany)])
        #expect(register.wrote(further, at: at(1)) == [.refuse(further, .tooMany)])
        #expect(register.closed(LinkIdentifier(1), at: at(2)) == [])
        #expect(register.opened(LinkIdentifier(100), at: at(3)) == [], "one has gone")
        #expect(register.wrote(further, at: at(4)) == [.refuse(further, .tooMany)], "it was told to go")
    }

    @Test func aLinkThatIsToldToGoTakesNobodysPlace() {
        var register = register(limit: 1)
        _ = register.opened(phone, at: at(0))
        #expect(register.advance(to: at(3000)) == [.drop(phone, .silent)])
        #expect(register.opened(LinkIdentifier(2), at: at(3001)) == [])
    }

    @Test func theLimitIsOneToSeven() {
        #expect(RadioRules(mode: .classic(lanes: []), limit: 0).limit == 1)
        #expect(RadioRules(mode: .classic(lanes: []), limit: 8).limit == 7)
    }

    // Deadlines ------------------------------------------------------------------------------------

    @Test func aLinkThatSaysNothingIsDropped() {
        var register = register()
        _ = register.opened(phone, at: at(0))
        #expect(register.nextChange == at(3000))
        #expect(register.advance(to: at(2999)) == [])
        #expect(register.advance(to: at(3000)) == [.drop(phone, .silent)])
    }

    @Test func soIsOneThatIsNearAndSaysNothing() {
        var register = LinkRegister(rules: RadioRules(mode: .onTouch([ProximityRule(lane: "main")])))
        _ = register.opened(phone, at: at(0))
        for time in [10, 20, 30] { _ = register.strength(phone, .dBm(-40), at: at(Int64(time))) }
        #expect(register.nextChange == at(3000))
        #expect(register.advance(to: at(3000)) == [.stopMeasuring(phone), .drop(phone, .silent)])
    }

    @Test func aPhoneThatDoesNotComeForItsAnswerIsDropped() {
        var register = register()
        conversing(&register)
        #expect(register.nextChange == at(3000))
        #expect(register.read(phone, at: at(900)) == [])
        #expect(register.wrote(phone, at: at(1000)) == [.proceed(phone)])
        #expect(register.nextChange == at(4000))
        #expect(register.advance(to: at(4000)) == [.drop(phone, .silent)])
    }

    @Test(arguments: [5000, 30_000]) func aPhoneThatHasItsAnswerHasTheRestOfTheConversationForItsNextMessage(conversation: Int64) {
        for next in [conversation - 1, conversation] {
            var register = LinkRegister(rules: RadioRules(mode: .classic(lanes: ["main"]), conversation: conversation))
            conversing(&register)
            #expect(register.read(phone, at: at(10)) == [])
            #expect(register.nextChange == at(conversation))
            let isInTime = next < conversation
            #expect(register.wrote(phone, at: at(next)) == (isInTime ? [.proceed(phone)] : [.drop(phone, .late), .refuse(phone, .late)]))
        }
    }

    @Test func readingPutsNoOtherDeadlineOff() {
        var register = register()
        _ = register.opened(phone, at: at(0))
        #expect(register.read(phone, at: at(2000)) == [] && register.nextChange == at(3000), "nothing was said yet")
        #expect(register.read(phone, at: at(3000)) == [.drop(phone, .silent)])
        #expect(register.read(phone, at: at(3001)) == [] && register.nextChange == at(6000))
        _ = register.closed(phone, at: at(3002))
        #expect(register.read(phone, at: at(3003)) == [] && register.sights.isEmpty)
        conversing(&register, since: 4000)
        _ = register.concluded(phone, at: at(4100))
        #expect(register.read(phone, at: at(5000)) == [] && register.nextChange == at(6100), "it has its result")
    }

    @Test func aConversationThatTakesTooLongIsDroppedHoweverMuchIsSaid() {
        var register = register()
        conversing(&register)
        #expect(register.wrote(phone, at: at(2500)) == [.proceed(phone)])
        #expect(register.wrote(phone, at: at(4999)) == [.proceed(phone)])
        #expect(register.wrote(phone, at: at(5000)) == [.drop(phone, .late), .refuse(phone, .late)])
    }

    @Test func aLinkThatStaysAfterItsResultIsDropped() {
        var register = register()
        conversing(&register)
        #expect(register.concluded(phone, at: at(100)) == [])
        #expect(register.nextChange == at(2100))
        #expect(register.advance(to: at(2100)) == [.drop(phone, .stayed)])
    }

    @Test func aResultInTheLastMomentIsStillTold() {
        var register = register()
        conversing(&register)
        #expect(register.wrote(phone, at: at(2900)) == [.proceed(phone)])
        #expect(register.concluded(phone, at: at(5001)) == [])
        #expect(register.sights.map(\.stage) == [.notified])
    }

    @Test func whoeverDoesNotGoIsToldAgain() {
        var register = register()
        _ = register.opened(phone, at: at(0))
        _ = register.advance(to: at(3000))
        #expect(register.nextChange == at(6000))
        for time in [6000, 9000, 12_000] as [Int64] {
            #expect(register.advance(to: at(time - 1)) == [])
            #expect(register.advance(to: at(time)) == [.dropAgain(phone)])
        }
        #expect(register.refusal(of: phone) == .silent, "as it was told first")
        #expect(register.closed(phone, at: at(12_001)) == [])
        #expect(register.sights.isEmpty && register.nextChange == nil)
    }

    // Turns ----------------------------------------------------------------------------------------

    @Test func aSecondMessageWhileTheFirstWaitsEndsTheLink() {
        var register = LinkRegister(rules: RadioRules(mode: .onTouch([ProximityRule(lane: "main")])))
        _ = register.opened(phone, at: at(0))
        #expect(register.wrote(phone, at: at(1)) == [])
        #expect(register.wrote(phone, at: at(2)) == [.stopMeasuring(phone), .refuse(phone, .outOfTurn), .drop(phone, .outOfTurn)])
    }

    @Test func aMessageAfterTheResultEndsTheLink() {
        var register = register()
        conversing(&register)
        _ = register.concluded(phone, at: at(100))
        #expect(register.wrote(phone, at: at(101)) == [.refuse(phone, .outOfTurn), .drop(phone, .outOfTurn)])
    }

    @Test func aMessageThatWaitsIsAnsweredWhenTheLinkIsCut() {
        var register = LinkRegister(rules: RadioRules(mode: .onTouch([ProximityRule(lane: "main")])))
        _ = register.opened(phone, at: at(0))
        _ = register.wrote(phone, at: at(1))
        #expect(register.closed(phone, at: at(2)) == [.refuse(phone, .gone)])
        #expect(register.closed(phone, at: at(3)) == [])
    }

    @Test func whatIsSaidOfALinkThatNobodyKnowsDoesNothing() {
        var register = register()
        #expect(register.strength(phone, .dBm(-40), at: at(0)) == [])
        #expect(register.concluded(phone, at: at(0)) == [])
        #expect(register.closed(phone, at: at(0)) == [])
        #expect(register.wrote(phone, at: at(0)) == [.refuse(phone, .unknown), .drop(phone, .unknown)])
        #expect(register.sights.isEmpty)
    }

    @Test func aGateThatHasNothingToSayRefusesWhatWaitsAndHangsUp() {
        var register = register()
        conversing(&register)
        #expect(register.declined(phone, .notEquipped, at: at(1)) == [.refuse(phone, .notEquipped), .drop(phone, .notEquipped)])
        #expect(register.wrote(phone, at: at(2)) == [.refuse(phone, .notEquipped)])
        #expect(register.declined(phone, .unknown, at: at(3)) == [.refuse(phone, .notEquipped)], "it was told to go already")
        #expect(register.closed(phone, at: at(4)) == [] && register.declined(phone, .notEquipped, at: at(5)) == [])
    }

    @Test func aMessageThatIsDeclinedTooLateIsAnsweredAllTheSame() {
        var register = register()
        conversing(&register)
        #expect(register.declined(phone, .notEquipped, at: at(5000)) == [.drop(phone, .late), .refuse(phone, .late)])
    }

    @Test func whoIsNotServedIsToldWhy() {
        var register = register(limit: 1)
        #expect(register.refusal(of: phone) == .unknown)
        _ = register.opened(phone, at: at(0))
        #expect(register.refusal(of: phone) == nil)
        _ = register.opened(LinkIdentifier(2), at: at(0))
        #expect(register.refusal(of: LinkIdentifier(2)) == .tooMany)
        _ = register.closed(LinkIdentifier(2), at: at(1))
        #expect(register.refusal(of: LinkIdentifier(2)) == .unknown)
    }

    @Test func aConversationThatHasNotBegunCannotBeOver() {
        var register = register()
        _ = register.opened(phone, at: at(0))
        #expect(register.concluded(phone, at: at(1)) == [])
        #expect(register.wrote(phone, at: at(2)) == [.admit(phone, lanes: ["main"])])
    }

    @Test func anInputThatIsToldLateDoesNotTurnTheClockBack() {
        var register = register()
        _ = register.advance(to: at(10_000))
        _ = register.opened(phone, at: at(0))
        #expect(register.nextChange == at(13_000))
    }

    @Test func manyLinksThatDoNotGoAreForgotten() {
        var register = register(limit: 1)
        _ = register.opened(phone, at: at(0))
        for id in 2...200 { _ = register.opened(LinkIdentifier(UInt64(id)), at: at(0)) }
        #expect(register.sights.count == 33)
        #expect(register.sights.first?.link == phone)
        #expect(register.wrote(LinkIdentifier(2), at: at(1)) == [.refuse(LinkIdentifier(2), .unknown), .drop(LinkIdentifier(2), .unknown)])
    }

    // Refusals -------------------------------------------------------------------------------------

    @Test func codesAreUniqueAndErrorsAreTheApplicationsOwn() {
        #expect(Set(LinkRefusal.allCases.map(\.code)).count == LinkRefusal.allCases.count)
        for refusal in LinkRefusal.allCases {
            #expect((0x81...0x9F).contains(refusal.attError))
            #expect(refusal.message.hasSuffix("."))
        }
    }
}
