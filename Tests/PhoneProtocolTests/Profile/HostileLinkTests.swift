import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import SeededNumbers
import Testing
import VirtualPhone

/// Everything that can happen to bytes on the air. Nothing traps; nothing but the true exchange is
/// proved.
@Suite struct HostileLinkTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    func tap(
        _ phone: consuming NFCPhone, knowing: ((Claim) -> [PeerCredential])? = nil, _ change: @escaping Tap.Interference
    ) throws -> (tap: Tap, result: PhoneResult?) {
        var phone = phone
        var gate = try site.gate(spare: false)
        let tap = Tap.run(&gate, &phone, knowing: knowing ?? site.candidates, interfering: change)
        return (tap, phone.result)
    }

    /// How long a good tap's APDUs are: an even index is the command, an odd one its response.
    func lengths(_ phone: consuming NFCPhone) throws -> [(index: Int, isResponse: Bool, count: Int)] {
        let good = try tap(phone) { _, _, bytes in bytes }
        #expect(good.tap.proof != nil)
        return good.tap.commands.indices.flatMap { index in
            [(index, false, good.tap.commands[index].count), (index, true, good.tap.responses[index].count)]
        }
    }

    /// Flips one bit of every byte of every APDU. The EDHOC messages in them must all break it; in the
    /// framing some bytes mean nothing (P2, Le), and then the exchange is the true one.
    @Test(arguments: [true, false]) func aFlippedByteProvesNothing(signs: Bool) throws {
        let lengths = try lengths(signs ? site.tokenPhone() : site.enrolledPhone())
        let exchanges = lengths.count / 2 - 1
        for (index, isResponse, count) in lengths {
            for position in 0..<count {
                let result = try tap(signs ? site.tokenPhone() : site.enrolledPhone()) { at, response, bytes in
                    guard at == index, response == isResponse, position < bytes.count else { return bytes }
                    var bytes = bytes
                    bytes[position] ^= 1 << UInt8(position % 8)
                    return bytes
                }
                let isMessage: Bool
                switch (index, isResponse) {
                case (0, true): isMessage = (9..<(count - 2)).contains(position)
                case (0, false), (exchanges, _): isMessage = false
                case (_, true): isMessage = position < count - 2
                case (1, false): isMessage = (5..<(count - 1)).contains(position)
                case (_, false): isMessage = false
                }
                if isMessage { #expect(result.tap.proof == nil, "APDU \(index), response \(isResponse), byte \(position)") }
                if index == exchanges, !isResponse, (5..<(count - 1)).contains(position) {
                    #expect(result.result == .stopped(.outcome), "OUTCOME byte \(position)")
                }
                #expect(result.tap.end != nil || result.tap.proof != nil)
            }
        }
    }

    @Test func aTruncatedAPDUProvesNothing() throws {
        for (index, isResponse, count) in try lengths(site.tokenPhone()) where index < 3 {
            for kept in 0..<count {
                let result = try tap(site.tokenPhone()) { at, response, bytes in
                    at == index && response == isResponse ? Array(bytes.prefix(kept)) : bytes
                }
                // A command without its Le byte says the same.
                guard isResponse || kept < count - 1 else { continue }
                #expect(result.tap.proof == nil, "APDU \(index), response \(isResponse), \(kept) bytes")
                #expect(result.tap.end != nil)
            }
        }
    }

    @Test func anAPDUWithMoreThanThereShouldBeProvesNothing() throws {
        for (index, isResponse, count) in try lengths(site.tokenPhone()) where index < 3 {
            for extra in [1, 2, 200, 70_000] {
                let result = try tap(site.tokenPhone()) { at, response, bytes in
                    guard at == index, response == isResponse else { return bytes }
                    let end = isResponse ? count - 2 : count
                    return Array(bytes.prefix(end)) + [UInt8](repeating: 0, count: extra) + Array(bytes.dropFirst(end))
                }
                #expect(result.tap.proof == nil, "APDU \(index), response \(isResponse), \(extra) more")
                #expect(result.tap.end != nil)
            }
        }
    }

    @Test func anEarlierMessage3IsRefused() throws {
        let earlier = try tap(site.tokenPhone()) { _, _, bytes in bytes }.tap
        let replayed = try tap(site.tokenPhone()) { index, isResponse, bytes in
            isResponse && (index == 1 || index == 2) ? earlier.responses[index] : bytes
        }
        #expect(replayed.tap.proof == nil)
        #expect(replayed.tap.end == .stopped(.protocolError, detail: "edhoc-not-decrypted"))
        // Nor does the whole conversation again.
        let whole = try tap(site.tokenPhone()) { index, isResponse, bytes in
            isResponse && index < 3 ? earlier.responses[index] : bytes
        }
        #expect(whole.tap.proof == nil)
        #expect(whole.tap.end == .stopped(.protocolError, detail: "edhoc-not-decrypted"))
    }

    @Test func anEarlierOutcomeIsRefused() throws {
        let earlier = try tap(site.tokenPhone()) { _, _, bytes in bytes }.tap
        let replayed = try tap(site.tokenPhone()) { index, isResponse, bytes in
            !isResponse && index == 3 ? earlier.commands[3] : bytes
        }
        #expect(replayed.result == .stopped(.outcome))
        #expect(replayed.tap.end == .outcomeNotTold(detail: "6985"))
    }

    @Test func aResponseThatNeverEndsIsBounded() throws {
        var gate = try site.gate()
        var action = gate.start()
        var count = 0
        while case .send = action, count < 2000 {
            action = gate.receive([UInt8](repeating: 0x6F, count: 3) + [0x61, 0x00])
            count += 1
        }
        #expect(count < 1100)
        #expect(action == .finish(.stopped(.protocolError, detail: "bad-response")))
    }

    @Test func anythingAtAllEndsTheConversation() throws {
        var random = SeededNumbers(seed: 3000)
        for _ in 0..<3000 {
            var gate = try site.gate(spare: false)
            var phone = site.tokenPhone()
            var action = gate.start()
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                guard case .send(let command) = action else { break }
                action = gate.receive(phone.receive(command))
            }
            for _ in 0..<Tap.mostCommands {
                let noise = (0..<Int.random(in: 0..<300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                action = gate.receive(noise + (Bool.random(using: &random) ? [0x90, 0x00] : []))
                if case .finish = action { break }
            }
            guard case .finish = action else {
                Issue.record("noise led to \(action)")
                return
            }
        }
    }

    @Test func aPhoneTakesAnythingInAnyOrder() throws {
        var random = SeededNumbers(seed: 3000)
        var phone = site.tokenPhone()
        let known: [[UInt8]] = [
            FalseGateTests.select, [0x00, 0xC0, 0x00, 0x00, 0x00], [0x80, 0xE2, 0x02, 0x00, 0x00],
            [0x80, 0xE2, 0x00, 0x00, 0x01, 0xA0, 0x00], [0x80, 0xE4, 0x00, 0x00, 0x01, 0xA0], StrangerTests.uniform,
            StrangerTests.unknownCredential, [0x90, 0xE2, 0x00, 0x00], [0x80, 0xE2, 0x07, 0x00], []
        ]
        for _ in 0..<3000 {
            let command = Bool.random(using: &random)
                ? known[Int.random(in: known.indices, using: &random)]
                : (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let response = phone.receive(command)
            #expect(response.count >= 2 && response.count <= 258)
            let result = phone.result
            if case .outcome = result { Issue.record("an outcome from nobody") }
        }
    }

    @Test func aPhoneKeepsToItsOrder() throws {
        let good = try tap(site.tokenPhone()) { _, _, bytes in bytes }.tap
        var phone = site.tokenPhone()
        let declined: [UInt8] = [0x69, 0x85]
        #expect(Self.send(&phone, good.commands[1]) == declined, "EXCHANGE before SELECT")
        #expect(Self.send(&phone, good.commands[3]) == declined, "OUTCOME before SELECT")
        var wrong = FalseGateTests.select
        wrong[6] ^= 1
        #expect(Self.send(&phone, wrong) == [0x6A, 0x82], "another application")
        #expect(Self.send(&phone, FalseGateTests.select).suffix(2) == [0x90, 0x00])
        #expect(Self.send(&phone, good.commands[3]) == declined, "OUTCOME before EXCHANGE")
        #expect(Self.send(&phone, good.commands[1]) == declined, "message_2 of another exchange")
        #expect(Self.send(&phone, good.commands[1]) == declined, "again")
        #expect(Self.send(&phone, [0x80, 0xEE, 0x00, 0x00]) == [0x6D, 0x00])
        #expect(Self.send(&phone, [0x42, 0xE2, 0x00, 0x00]) == [0x6E, 0x00])
        #expect(Self.send(&phone, [0x80, 0xE2, 0x03, 0x00]) == [0x6A, 0x86])
        #expect(Self.send(&phone, [0x80, 0xE2, 0x00]) == [0x67, 0x00])
    }

    @Test func message2TwiceIsAnsweredOnce() throws {
        var gate = try site.gate()
        var phone = site.tokenPhone()
        guard case .send(let select) = gate.start(),
              case .sendFinal(let exchange, _) = gate.receive(phone.receive(select))
        else {
            Issue.record("no message_2")
            return
        }
        #expect(Self.send(&phone, exchange).count > 2)
        #expect(Self.send(&phone, exchange) == [0x69, 0x85])
    }

    /// Calls out of order by our own caller end the conversation and can grant nothing.
    @Test func stepsOutOfOrderEndTheConversation() throws {
        let misuse = NFCGateConversation.Action.finish(.stopped(.internalError, detail: "out-of-order"))
        var unstarted = try site.gate()
        #expect(Self.receive(&unstarted, [0x90, 0x00]) == misuse)
        var early = try site.gate()
        _ = early.start()
        let outcome = early.outcome(PhoneOutcome(result: .granted, reason: .granted))
        #expect(outcome == misuse)
        guard case .refused(.internalError) = early.resolve([]) else {
            Issue.record("resolved without a claim")
            return
        }
        #expect(Self.receive(&early, [0x90, 0x00]) == misuse)
    }

    static func send(_ phone: inout NFCPhone, _ command: [UInt8]) -> [UInt8] { phone.receive(command) }

    static func receive(_ gate: inout NFCGateConversation, _ response: [UInt8]) -> NFCGateConversation.Action { gate.receive(response) }
}
