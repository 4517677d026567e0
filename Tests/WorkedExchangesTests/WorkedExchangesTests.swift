import Credentials
import Cryptography
import Encoding
import Foundation
import PhoneProtocol
import Testing
@testable import WorkedExchanges

/// docs/worked-exchanges.md is what the recording says, and the recording is what the engine does.
@Suite struct WorkedExchangesTests {
    static let top = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let recording: Recording
    /// The same site and phone in other suites.
    let others: Recording
    let site: SiteLedger
    /// The exchanges of both.
    let exchanges: [Recording.Exchange]

    init() throws {
        recording = try Self.recording("recorded.json")
        others = try Self.recording("suites.json")
        site = try SiteLedger(recording)
        exchanges = recording.exchanges + others.exchanges
    }

    private static func recording(_ name: String) throws -> Recording {
        let file = top.appendingPathComponent("Tests/WorkedExchanges/\(name)")
        return try Recording(json: Array(String(contentsOf: file, encoding: .utf8).utf8))
    }

    @Test func thePageIsWhatFollowsFromTheRecording() throws {
        let page = try String(
            contentsOf: Self.top.appendingPathComponent("docs/worked-exchanges.md"), encoding: .utf8)
        let rendered = try Page.render(recording, others: others)
        #expect(page == rendered, "swift run worked-exchanges page writes it anew")
    }

    @Test func bothWaysAreThere() {
        #expect(recording.exchanges.map(\.isByReference) == [false, true])
        #expect(exchanges.map(\.suite) == [2, 2, 3, 5, 6])
    }

    @Test func theOtherSuitesAreOfTheSameSiteAndPhone() {
        #expect(others.token == recording.token && others.journalHead == recording.journalHead)
        #expect(others.gateKey == recording.gateKey && others.phoneKey == recording.phoneKey && others.issuerKey == recording.issuerKey)
        #expect(others.site == recording.site && others.gate == recording.gate && others.lane == recording.lane)
        #expect(others.time == recording.time && others.generation == recording.generation)
    }

    @Test func everyByteOnTheAirFollowsFromKeysAndSignatures() throws {
        for exchange in exchanges {
            #expect(try ExchangeLedger(recording, exchange, site).air == exchange.air)
        }
    }

    @Test func theTokenIsOneThatAGateTakes() throws {
        let token = try Token(parsing: recording.token)
        let issuer = try SigningKey(rawPrivate: recording.issuerKey, curve: .p256).publicKey
        #expect(token.isSigned(by: issuer))
        #expect(token.identifier.reference == site.tokenReference)
        #expect(token.claims.notBefore <= recording.time && recording.time < token.claims.expiresAt)
        let phone = try SigningKey(rawPrivate: recording.phoneKey, curve: .p256).publicKey
        #expect(token.claims.confirmationKey.key == phone)
    }

    @Test func theGatesCredentialIsTheOneThatPhonesGet() throws {
        let key = try SigningKey(rawPrivate: recording.gateKey, curve: .p256).publicKey
        let shown = GateCredential(site: recording.site, key: key)
        #expect(shown.claims == site.gateCredential)
        #expect(shown.keyIdentifier == site.gateIdentifier)
    }

    /// The engine's phone makes the same message_1, takes the recorded message_2, finds in it what the page says,
    /// and answers with a message_3 of the same length.
    @Test func theEngineAgrees() throws {
        for exchange in exchanges {
            let values = try named(exchange)
            let curve = try #require(CipherSuite(rawValue: exchange.suite)).agreementCurve
            var initiator = EDHOCInitiator(
                method: .bothSign, suites: [exchange.suite], connectionIdentifier: [0x00],
                ephemeral: EphemeralKey(known: try AgreementKey(rawPrivate: exchange.phoneEphemeral, curve: curve)))
            #expect(try initiator.makeMessage1() == values["message_1"])
            let claim = try initiator.receiveMessage2(try #require(values["message_2"]))
            #expect(claim.identifier.map == values["ID_CRED_R"])
            let context = try #require(claim.ead.first?.value.flatMap { GateContext(value: $0) })
            #expect(context.gateIdentifier == recording.gate && context.lane == recording.lane)
            let gate = try SigningKey(rawPrivate: recording.gateKey, curve: .p256).publicKey
            #expect(try initiator.verifyMessage2([PeerCredential(credential: site.gateCredential, key: gate)]) == 0)
            let own = OwnCredential(
                identifier: try CredentialIdentifier(map: try #require(values["ID_CRED_I"])), credential: recording.token,
                key: .signing(try SigningKey(rawPrivate: recording.phoneKey, curve: .p256)))
            let request = PhoneRequest(carrier: .nfc, lane: recording.lane, language: "en")
            // The signature is another one each time; what stands around it is not.
            let message3 = try initiator.makeMessage3(own, ead: [request.item])
            #expect(message3.count == values["message_3"]?.count)
            #expect(PhoneOutcome(parsing: values["outcome"] ?? [])?.result == .granted)
        }
    }

    @Test func theEvidenceIsWhatAnAuditorReads() throws {
        let phone = try SigningKey(rawPrivate: recording.phoneKey, curve: .p256).publicKey
        let gate = try SigningKey(rawPrivate: recording.gateKey, curve: .p256).publicKey
        for exchange in exchanges {
            let values = try named(exchange)
            let bytes = try #require(values["evidence"])
            let evidence = try #require(TapEvidence(parsing: bytes))
            #expect(evidence.encoded == bytes)
            #expect(evidence.isSigned(by: phone) && !evidence.isSigned(by: gate))
            #expect(evidence.gate?.isSigned(by: gate) == true)
            #expect(evidence.transcript3 == values["TH_3"])
            #expect(evidence.transcript4 == values["TH_4"])
            #expect(evidence.credential == recording.token)
            #expect(evidence.request?.lane == recording.lane)
        }
    }

    /// A freshly recorded pair passes too: the rules fit the engine, not only this recording.
    @Test func aNewRecordingCanBeWorkedOut() throws {
        let fresh = try Recorder.record()
        let site = try SiteLedger(fresh)
        let others = try Recorder.record(suitesOf: fresh)
        for exchange in fresh.exchanges + others.exchanges {
            #expect(try ExchangeLedger(fresh, exchange, site).air == exchange.air)
        }
        #expect(try Recording(json: Array(fresh.json.text.utf8)) == fresh)
        #expect(try Recording(json: Array(others.json.text.utf8)) == others)
    }

    /// The comparison can fail: a byte changed anywhere in the recording shows.
    @Test func aChangedRecordingDoesNotPass() throws {
        let text = recording.json.text
        let page = try Page.render(recording, others: others)
        for exchange in recording.exchanges {
            for step in exchange.air {
                let spelled = Hex.encode(step.response)
                let changed = spelled.dropLast() + (spelled.hasSuffix("0") ? "1" : "0")
                let other = try Recording(json: Array(text.replacingOccurrences(of: spelled, with: changed).utf8))
                #expect((try? Page.render(other, others: others)) != page)
            }
        }
    }

    private func named(_ exchange: Recording.Exchange) throws -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        for value in try ExchangeLedger(recording, exchange, site).chapters.flatMap(\.values) {
            #expect(values.updateValue(value.bytes, forKey: value.name) == nil, "\(value.name) is there twice")
        }
        return values
    }
}
