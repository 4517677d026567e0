import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Foundation
import Gate
import PhoneProtocol
import Readers
import Testing
import VirtualPhone

@testable import Controller
@testable import Radio

/// The whole tap over a radio in process: who is listened to, who is served, and what is written down.
@Suite("A tap over Bluetooth (T2, T4–T6, T9, T12)") final class RadioTapTests {
    let site: TestSite
    let events = EventLog()
    private var started: Controller?

    init() throws { site = try TestSite() }

    deinit { started?.stop() }

    private static let withoutCooldown = "cooldown-success-ms = 0\ncooldown-failure-ms = 0\nble-background-cooldown-ms = 0"

    /// A gate with one radio at its lane.
    private func gate(lane: String = "carriers = \"both\"", radio: String = "") throws -> (Controller, TestRadio) {
        try configure(lane: lane, radio: radio)
        let controller = try site.controller()
        started = controller
        let events = self.events
        controller.listen { events.add($0) }
        try site.publish(to: controller)
        return (controller, TestRadio(controller))
    }

    private func configure(lane: String = "carriers = \"both\"", radio: String) throws {
        try site.configure(lane: "\(lane)\n\(lane.contains("cooldown") ? "" : Self.withoutCooldown)",
                           more: "[audit]\nwait-ms = 250\ndurable-within-ms = 2000\n[[radio]]\nname = \"hall\"\nlanes = [\"main\"]\n\(radio)")
    }

    private func holder() throws -> PhoneIdentity {
        let key = try SigningKey.generate(.p256)
        return PhoneIdentity(credential: .token(try site.token(site.claims(key.publicKey)).raw), key: .signing(key), gates: try site.gates)
    }

    private func phone(background: Bool = false, canUseNFC: Bool = true, isUnlocked: Bool = false, manual: Bool = false) -> PhoneSettings {
        var settings = PhoneSettings(carrier: .ble)
        settings.isForeground = !background
        settings.canUseNFC = canUseNFC
        settings.isUnlocked = isUnlocked
        settings.trigger = manual ? .manual : .automatic
        return settings
    }

    @Test func aPhoneThatIsNearIsGrantedAndWrittenDown() throws {
        let (controller, radio) = try gate()
        let link = radio.connect(heard: -50)
        #expect(radio.converse(link, try holder())?.reason == .granted)
        #expect(events.relays == [true])
        let record = try #require(try controller.records().last)
        #expect(record["reason"]?.string == "granted" && record["carrier"]?.string == "ble" && record["reader"]?.string == "hall")
        #expect(events.all.contains { $0.kind == .started && $0.fields["carrier"]?.string == "ble" })
        radio.close(link)
        #expect(radio.dropped.isEmpty)
    }

    @Test func theOutcomeCanBeReadAgain() throws {
        let (_, radio) = try gate()
        let link = radio.connect(heard: -50)
        #expect(radio.converse(link, try holder())?.reason == .granted)
        #expect(radio.read(link) == radio.read(link))
        try radio.wait(for: "a link to be dropped") { !radio.dropped.isEmpty }
        #expect(radio.dropped == [link], "a phone that stays is told to go")
    }

    @Test func aMessageWaitsUntilItsPhoneIsNear() throws {
        let (_, radio) = try gate(lane: "carriers = \"both\"\nble-rssi-window-ms = 5000")
        let link = radio.connect()
        var central = BluetoothPhone(identity: try holder())
        guard case .write(let message1) = central.start() else { return #expect(Bool(false)) }
        let written = radio.write(link, message1)
        radio.receive(link, -75)
        #expect(!written.isAnswered && radio.read(link) == .refused(0x80))
        radio.receive(link, -55)
        #expect(written.isAccepted && !radio.measured.contains(link))
    }

    private static let tooWeak: [Int8?] = [-75, nil]

    @Test(arguments: tooWeak) func aPhoneThatIsNotNearIsRefusedAndGoes(strength: Int8?) throws {
        let (controller, radio) = try gate(lane: "carriers = \"both\"\nble-rssi-window-ms = 100")
        let link = radio.connect()
        let written = radio.write(link, [0])
        radio.receive(link, strength)
        try radio.wait(for: "a link to be dropped") { !radio.dropped.isEmpty }
        #expect(written.error == 0x81 && radio.dropped == [link])
        #expect(try controller.records().allSatisfy { $0["carrier"]?.string != "ble" }, "nothing was said")
    }

    /// A second lane at the radio, to which a phone must come nearer.
    private static let sideLane = """
        [[lane]]
        name = "side"
        carriers = "ble-only"
        ble-rssi-threshold-dbm = -40
        [lane.relay]
        chip = "simulated"
        line = 5
        """

    @Test func aRequestOpensNoLaneThatThePhoneIsFarFrom() throws {
        let audit = "[audit]\nwait-ms = 250\ndurable-within-ms = 2000"
        try site.configure(lane: "carriers = \"both\"\n\(Self.withoutCooldown)",
                           more: "\(audit)\n[[radio]]\nname = \"hall\"\nlanes = [\"main\", \"side\"]",
                           readers: "\(TestSite.noReader)\n\(Self.sideLane)")
        let controller = try site.controller()
        try site.publish(to: controller)
        let radio = TestRadio(controller)
        let requesting = PhoneSettings(carrier: .ble, requestedLane: "side"), heard: [Int8] = [-50, -35]
        for strength in heard {
            let link = radio.connect(heard: strength)
            #expect(radio.converse(link, try holder(), requesting)?.reason == .granted)
            radio.close(link)
        }
        let lanes = try controller.records().filter { $0["carrier"]?.string == "ble" }.map { $0["lane"]?.string }
        #expect(lanes == ["main", "side"])
    }

    @Test func theClassicModeAsksForNoNearness() throws {
        let (_, radio) = try gate(radio: "mode = \"classic\"")
        let link = radio.connect()
        #expect(radio.measured.isEmpty)
        #expect(radio.converse(link, try holder(), phone(manual: true))?.reason == .granted)
        radio.close(link)
        #expect(radio.tap(try holder(), phone())?.reason == .commandNotAllowed, "nothing runs by itself in classic mode")
    }

    @Test func aRadioMayForbidWhatPeopleStart() throws {
        let (_, radio) = try gate(radio: "manual = false")
        #expect(radio.tap(try holder(), phone(manual: true))?.reason == .commandNotAllowed)
        #expect(radio.tap(try holder())?.reason == .granted)
    }

    @Test func linksBeyondTheLimitGoAtOnce() throws {
        let (_, radio) = try gate(radio: "links = 2")
        let links = (0..<3).map { _ in radio.connect(heard: -40) }
        #expect(radio.dropped == [links[2]])
        #expect(radio.write(links[2], [0]).error == 0x82)
        radio.close(links[2])
        radio.close(links[0])
        #expect(radio.converse(radio.connect(heard: -40), try holder())?.reason == .granted)
    }

    @Test func nfcComesFirstWhileItIsThere() throws {
        let (controller, radio) = try gate(lane: "carriers = \"nfc-first\"")
        let carriers = try #require(controller.layout.withLock { $0.carriers["main"] })
        _ = carriers.record("entry", toward: .in, .ready)
        #expect(radio.tap(try holder())?.reason == .useNFC)
        #expect(radio.tap(try holder(), phone(canUseNFC: false))?.reason == .granted)
        _ = carriers.record("entry", toward: .in, .absent(reason: "unplugged"))
        #expect(radio.tap(try holder())?.reason == .granted)
    }

    @Test func whoeverChoseBluetoothByHandIsServedBesideAReader() throws {
        let (controller, radio) = try gate(lane: "carriers = \"nfc-first\"")
        let carriers = try #require(controller.layout.withLock { $0.carriers["main"] })
        _ = carriers.record("entry", toward: .in, .ready)
        #expect(radio.tap(try holder(), phone(manual: true))?.reason == .granted)
        #expect(radio.tap(try holder(), phone(manual: false))?.reason == .useNFC)
    }

    @Test func aRadioThatForbidsItForbidsItBesideAReaderToo() throws {
        let (controller, radio) = try gate(lane: "carriers = \"nfc-first\"", radio: "manual = false")
        let carriers = try #require(controller.layout.withLock { $0.carriers["main"] })
        _ = carriers.record("entry", toward: .in, .ready)
        #expect(radio.tap(try holder(), phone(manual: true))?.reason == .commandNotAllowed)
    }

    @Test func aLaneMayWantAPhoneInHand() throws {
        let (_, radio) = try gate(lane: "carriers = \"both\"\nble-require = \"unlocked\"")
        #expect(radio.tap(try holder(), phone())?.reason == .phoneLocked)
        #expect(radio.tap(try holder(), phone(isUnlocked: true))?.reason == .granted)
    }

    @Test func theSameCredentialDoesNotRunTwiceWithinItsCooldown() throws {
        let (_, radio) = try gate(lane: "carriers = \"both\"\ncooldown-success-ms = 0\nble-background-cooldown-ms = 20000")
        let anna = try holder()
        #expect(radio.tap(anna, phone(background: true))?.reason == .granted)
        guard case .outcome(let outcome)? = radio.tap(anna, phone(background: true)) else { return #expect(Bool(false)) }
        #expect(outcome.reason == .cooldownSuccess && (outcome.retryAfterMilliseconds ?? 0) > 10_000)
        #expect(radio.tap(try holder(), phone(background: true))?.reason == .granted, "another phone is not concerned")
    }

    @Test func aPhoneThatIsCutIsWrittenDownAndOpensNothing() throws {
        let (controller, radio) = try gate()
        var central = BluetoothPhone(identity: try holder())
        guard case .write(let message1) = central.start() else { return #expect(Bool(false)) }
        let link = radio.connect(heard: -40)
        #expect(radio.write(link, message1).isAccepted)
        radio.close(link)
        #expect(try events.reasons(atLeast: 1) == ["card-removed"] && events.relays.isEmpty)
        _ = try controller.records()
        #expect(radio.converse(radio.connect(heard: -40), try holder())?.reason == .granted)
    }

    @Test func anAnswerAfterTheDeadlineOpensNothing() throws {
        let (_, radio) = try gate(radio: "presentation-deadline-ms = 1000")
        var central = BluetoothPhone(identity: try holder())
        guard case .write(let message1) = central.start() else { return #expect(Bool(false)) }
        let link = radio.connect(heard: -40)
        #expect(radio.write(link, message1).isAccepted)
        guard case .read = central.wrote(), case .value(let message2)? = radio.read(link),
              case .write(let message3) = central.received(message2) else { return #expect(Bool(false)) }
        #expect(try events.reasons(atLeast: 1) == ["timeout"])
        _ = radio.write(link, message3)
        #expect(events.relays.isEmpty && radio.dropped == [link])
    }

    /// A reload makes the lane's deadline shorter than that of the link: the attempt is over, and the link is still there.
    @Test func aPhoneThatBeginsAgainAfterTheDeadlineHasOneEndInTheJournal() throws {
        let (controller, radio) = try gate(radio: "presentation-deadline-ms = 30000")
        let link = radio.connect(heard: -40)
        try configure(radio: "presentation-deadline-ms = 1000")
        _ = try controller.reload()
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        var central = BluetoothPhone(identity: PhoneIdentity(credential: .tokenReference(token.raw), key: .signing(key), gates: try site.gates))
        guard case .write(let message1) = central.start() else { return #expect(Bool(false)) }
        #expect(radio.write(link, message1).isAccepted)
        guard case .read = central.wrote(), case .value(let message2)? = radio.read(link),
              case .write(let message3) = central.received(message2) else { return #expect(Bool(false)) }
        #expect(radio.write(link, message3).isAccepted)
        guard case .read = central.wrote(), case .value(let error)? = radio.read(link),
              case .write(let again) = central.received(error) else { return #expect(Bool(false)) }
        #expect(try events.reasons(atLeast: 1) == ["timeout"])
        #expect(radio.write(link, again).isAccepted)
        radio.close(link)
        _ = try controller.records()
        let ends = try controller.journalPage(JournalQuery(unproven: true, kind: "outcome"))["records"]?.array ?? []
        #expect(ends.map { $0["reason"]?.string } == ["timeout"])
    }

    @Test func aPhoneThatHasReadMessage2HasTheRestOfTheConversation() throws {
        let (_, radio) = try gate(radio: "report-interval-ms = 0\npresentation-deadline-ms = 30000")
        var central = BluetoothPhone(identity: try holder())
        guard case .write(let message1) = central.start() else { return #expect(Bool(false)) }
        let link = radio.connect(heard: -40)
        #expect(radio.write(link, message1).isAccepted)
        let step = try #require(radio.nextDue)
        guard case .value? = radio.read(link) else { return #expect(Bool(false)) }
        #expect(radio.nextDue == step + 27_000, "3 s to come for the answer, then all that is left of 30 s")
    }

    @Test func aStrangerLearnsNothing() throws {
        let (_, radio) = try gate()
        let key = try SigningKey.generate(.p256)
        let stranger = PhoneIdentity(credential: .token(try site.token(site.claims(key.publicKey), signedBy: .generate(.p256)).raw), key: .signing(key),
                                     gates: try site.gates)
        #expect(radio.tap(stranger) == .refused(.unspecified("refused")))
        #expect(try events.reasons(atLeast: 1) == ["bad-signature"] && events.relays.isEmpty)
    }

    @Test func aWriteOutOfTurnEndsTheConversation() throws {
        let (_, radio) = try gate()
        let link = radio.connect(heard: -40)
        #expect(radio.write(link, [0xFF, 1, 2, 3]).isAccepted, "every stranger is told the same")
        #expect(radio.write(link, [0]).error == 0x83 && radio.dropped == [link])
        #expect(events.relays.isEmpty)
    }

    private static let longCooldown = "carriers = \"both\"\ncooldown-success-ms = 0\ncooldown-failure-ms = 60000\nble-background-cooldown-ms = 0"

    /// One write is all that it costs, again and again; it costs nobody else anything.
    @Test func aStrangersOneWriteDelaysNobody() throws {
        let (_, radio) = try gate(lane: Self.longCooldown)
        for count in 1...20 {
            let link = radio.connect(heard: -40)
            #expect(radio.write(link, [0xFF, 1, 2, 3]).isAccepted)
            radio.close(link)
            #expect(try events.reasons(atLeast: count).last == "protocol-error")
        }
        #expect(radio.tap(try holder())?.reason == .granted)
    }

    /// What came of that link is told on it; the stranger must come again for more.
    @Test func aLinkThatFailedWithoutAProofIsOver() throws {
        let (_, radio) = try gate(lane: Self.longCooldown)
        let link = radio.connect(heard: -40)
        #expect(radio.write(link, [0xFF, 1, 2, 3]).isAccepted)
        #expect(radio.converse(link, try holder()) == nil, "not even a phone that is known is served on it")
        #expect(events.relays.isEmpty && radio.dropped == [link])
    }

    /// Whoever has proved who they are answers for it.
    @Test func aProvenRefusalStillRestsTheRadio() throws {
        let (_, radio) = try gate(lane: Self.longCooldown)
        let key = try SigningKey.generate(.p256)
        let narrow = site.claims(key.publicKey, scope: ["hold"])
        let barred = PhoneIdentity(credential: .token(try site.token(narrow).raw), key: .signing(key), gates: try site.gates)
        #expect(radio.tap(barred)?.reason == .scopeLacksCommand)
        #expect(radio.tap(try holder())?.reason == .cooldownFailure)
    }

    @Test func aGateWithoutKeysSaysSoAndHangsUp() throws {
        try configure(radio: "")
        for name in ["gate-signing.key", "gate-agreement.key"] { try FileManager.default.removeItem(atPath: site.path(name)) }
        let controller = try site.controller()
        started = controller
        let events = self.events
        controller.listen { events.add($0) }
        let radio = TestRadio(controller)
        let link = radio.connect(heard: -40)
        #expect(radio.write(link, [0]).error == 0x84 && radio.dropped == [link])
        #expect(radio.read(link) == .refused(0x84), "it is told to go, not to read again")
        #expect(events.reasons == ["lane-fault"] && events.relays.isEmpty)
    }

    @Test func whoWasToldToGoIsToldSoAgain() throws {
        let (_, radio) = try gate(radio: "links = 1")
        let first = radio.connect(heard: -40)
        let second = radio.connect()
        #expect(radio.read(first) == .refused(0x80) && radio.read(second) == .refused(0x82))
        radio.close(first)
        #expect(radio.read(first) == .refused(0x84) && radio.write(first, [0]).error == 0x84)
    }

    @Test func integratorsHearOfPhonesNearby() throws {
        let (_, radio) = try gate(radio: "report-interval-ms = 100")
        let link = radio.connect(heard: -48)
        try radio.wait(for: "somebody nearby") { events.all.contains { $0.kind == .nearby } }
        let phones = events.all.first { $0.kind == .nearby }?.fields["phones"]?.array
        #expect(phones?.first?["rssi"]?.integer == -48 && phones?.first?["link"]?.integer == Int64(link.id))
        radio.close(link)
        try radio.wait(for: "nothing to be due")
        #expect(events.all.last { $0.kind == .nearby }?.fields["phones"]?.array?.isEmpty == true)
        #expect(radio.nextDue == nil, "with nobody near nothing is due")
    }

    @Test func fiftyPhonesLeaveNothingBehind() throws {
        let (_, radio) = try gate()
        for _ in 0..<50 { #expect(radio.tap(try holder())?.reason == .granted) }
        try radio.wait(for: "nothing to be due")
        #expect(radio.nextDue == nil && radio.measured.isEmpty)
    }
}
