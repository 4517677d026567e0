import Cryptography
import Encoding
import Testing
@testable import PhoneProtocol

/// RFC 9529, chapters 2 and 3: both sides must make exactly these messages.
@Suite struct TraceTests {
    @Test(arguments: KeyScheduleTests.parties)
    func bothSidesMakeTheMessagesOfTheTrace(party: TraceParty) throws {
        let vectors = party.vectors
        var initiator = try party.initiator()
        var responder = try party.responder()

        let message1 = try initiator.makeMessage1()
        #expect(message1 == vectors["message_1"])
        let opening = try responder.receiveMessage1(message1)
        #expect(opening.method == party.method)
        #expect(opening.suite == party.suite)
        #expect(opening.connectionIdentifier == vectors["C_I"])

        let message2 = try responder.makeMessage2(try party.own("R"))
        #expect(message2 == vectors["message_2"])
        let transcript2 = responder.transcript2
        #expect(transcript2 == vectors["TH_2"])
        let claim2 = try initiator.receiveMessage2(message2)
        #expect(claim2.identifier.map == vectors["ID_CRED_R"])
        let gate = try initiator.verifyMessage2([try party.peer("R")])
        #expect(gate == 0)

        let message3 = try initiator.makeMessage3(try party.own("I"))
        #expect(message3 == vectors["message_3"])
        responder.prepareForMessage3()
        let claim3 = try responder.receiveMessage3(message3)
        #expect(claim3.identifier.map == vectors["ID_CRED_I"])
        let phone = try responder.verifyMessage3([try party.peer("I")])
        #expect(phone == 0)

        let (mine, theirs) = (responder.result, initiator.result)
        let result = try #require(mine)
        #expect(result.transcript4 == vectors["TH_4"])
        #expect(result.prk4e3m == vectors["PRK_4e3m"])
        #expect(result.mac3 == vectors["MAC_3"])
        #expect(result.proofField == vectors["Signature_or_MAC_3"])
        #expect(theirs?.transcript4 == vectors["TH_4"])
        try checkSession(result.session, vectors)
    }

    /// No value of a trace is left out: each is chosen by somebody, or follows from those that are.
    @Test(arguments: KeyScheduleTests.parties)
    func everyIntermediateValueFollows(party: TraceParty) throws {
        let computed = try TraceRecomputation(party).values
        for name in party.vectors.names where !TraceRecomputation.chosen.contains(name) {
            #expect(computed[name] == party.vectors[name], "\(name)")
        }
        #expect(Set(party.vectors.names) == Set(computed.keys).union(TraceRecomputation.chosen.intersection(party.vectors.names)))
    }

    func checkSession(_ session: EDHOCSession, _ vectors: TraceVectors) throws {
        #expect(session.prkOut == vectors["PRK_out"])
        #expect(session.prkExporter == vectors["PRK_exporter"])
        #expect(session.export(label: 0, length: 16) == vectors["OSCORE Master Secret"])
        #expect(session.export(label: 1, length: 8) == vectors["OSCORE Master Salt"])
    }

    /// The negotiation with which chapter 3 begins: suite 6 is answered by error (2, 2).
    @Test func aSuiteWeLackIsAnsweredByOurs() throws {
        let party = try TraceParty.chapter3()
        var responder = try party.responder()
        #expect(refusal(&responder, party.vectors["first message_1"]) == .wrongSuite(supported: [2]))
        #expect(EDHOCErrorMessage.wrongSuite([2]).encoded == party.vectors["error"])
        #expect(try EDHOCErrorMessage(parsing: party.vectors["error"]) == .wrongSuite([2]))
    }

    private func refusal(_ responder: inout EDHOCResponder, _ message: [UInt8]) -> EDHOCError? {
        do throws(EDHOCError) { _ = try responder.receiveMessage1(message) } catch { return error }
        return nil
    }
}
