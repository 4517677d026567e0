import Credentials
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Messages of an earlier conversation, or of this one in another order.
@Suite("Attack: replay and reordering (V3)") struct ReplayAttackTests {
    let site: TestSite
    let earlier: Tap

    init() throws {
        site = try TestSite()
        var gate = try site.gate()
        var phone = site.tokenPhone()
        earlier = Tap.run(&gate, &phone, knowing: site.candidates)
        try #require(earlier.proof != nil)
    }

    /// A phone whose responses with these numbers are the earlier ones.
    private func tap(replaying numbers: Set<Int>, commands: Set<Int> = []) throws -> (tap: Tap, result: PhoneResult?) {
        var gate = try site.gate()
        var phone = site.tokenPhone()
        let earlier = self.earlier
        let tap = Tap.run(&gate, &phone, knowing: site.candidates) { index, isResponse, bytes in
            let isReplayed = (isResponse ? numbers : commands).contains(index)
            let old = isResponse ? earlier.responses : earlier.commands
            return isReplayed && old.indices.contains(index) ? old[index] : bytes
        }
        return (tap, phone.result)
    }

    @Test func theWholePhoneReplayedProvesNothing() throws {
        let replayed = try tap(replaying: [0, 1, 2, 3])
        #expect(replayed.tap.claims.isEmpty && replayed.tap.proof == nil)
    }

    @Test func message1ReplayedProvesNothing() throws {
        let replayed = try tap(replaying: [0])
        #expect(replayed.tap.claims.isEmpty && replayed.tap.proof == nil, "the phone has lost that ephemeral key")
    }

    @Test func message2ReplayedIsNotAnswered() throws {
        let replayed = try tap(replaying: [], commands: [1])
        #expect(replayed.tap.responses[1] == FalseGate.declined)
        #expect(replayed.tap.claims.isEmpty)
    }

    @Test func message3ReplayedProvesNothing() throws {
        let replayed = try tap(replaying: [1, 2])
        #expect(replayed.tap.claims.isEmpty && replayed.tap.proof == nil)
    }

    @Test func anOutcomeReplayedIsNotBelieved() throws {
        let replayed = try tap(replaying: [], commands: [3])
        #expect(replayed.result == .stopped(.outcome))
    }

    /// Every response of a conversation in the place of every other one.
    @Test func responsesInAnotherOrderProveNothing() throws {
        for place in 0..<3 {
            for other in 0..<4 where other != place {
                var gate = try site.gate()
                var phone = site.tokenPhone()
                var heard: [[UInt8]] = []
                let tap = Tap.run(&gate, &phone, knowing: site.candidates) { index, isResponse, bytes in
                    guard isResponse else { return bytes }
                    heard.append(bytes)
                    guard index == place else { return bytes }
                    return heard.indices.contains(other) ? heard[other] : earlier.responses[other]
                }
                #expect(tap.proof == nil, "response \(other) in the place of \(place)")
            }
        }
    }

    /// Every command of a conversation at every moment: a phone says who it is once, to the gate, at its time.
    @Test func commandsInAnotherOrderAreNotAnswered() throws {
        for place in 0..<4 {
            for other in 1..<4 where other != place {
                var phone = site.tokenPhone()
                var gate = try site.gate()
                var commands: [[UInt8]] = []
                var answers = 0
                _ = Tap.run(&gate, &phone, knowing: site.candidates) { index, isResponse, bytes in
                    if isResponse {
                        if bytes.count > 100, index > 0 { answers += 1 }
                        return bytes
                    }
                    commands.append(bytes)
                    return index == place ? earlier.commands[other] : bytes
                }
                #expect(answers <= 1, "command \(other) in the place of \(place)")
                if case .outcome = phone.result, place == 3 { Issue.record("an outcome of earlier was believed") }
            }
        }
    }

    /// The two parts of message_3 change places.
    @Test func message3InAnotherOrderProvesNothing() throws {
        var gate = try site.gate()
        var phone = site.tokenPhone()
        var parts: [[UInt8]] = []
        guard case .send(let select) = gate.start(), case .sendFinal(let exchange, _) = gate.receive(phone.receive(select)) else {
            Issue.record("no message_2")
            return
        }
        parts.append(phone.receive(exchange))
        parts.append(phone.receive([0x00, 0xC0, 0x00, 0x00, 0x00]))
        #expect(parts[1].suffix(2) == [0x90, 0x00])
        let swapped = Array(parts[1].dropLast(2)) + [0x61, UInt8(truncatingIfNeeded: parts[0].count - 2)]
        _ = gate.receive(swapped)
        let action = gate.receive(Array(parts[0].dropLast(2)) + [0x90, 0x00])
        guard case .send(let refusal) = action else {
            Issue.record("the swapped parts led to \(action)")
            return
        }
        #expect(refusal == StrangerTests.uniform)
    }

    /// A conversation is granted once: the phone's own answer, brought to the gate a second time, is none.
    @Test func anAnswerCountsOnce() throws {
        var first = try site.gate()
        var second = try site.gate()
        var phone = site.tokenPhone()
        guard case .send(let select) = first.start(), case .send = second.start() else { return }
        let offered = phone.receive(select)
        guard case .sendFinal(let exchange, _) = first.receive(offered), case .sendFinal = second.receive(offered) else {
            Issue.record("no message_2")
            return
        }
        let answer = try phone.whole(exchange)
        guard case .identify = first.receive(answer) else {
            Issue.record("the phone's own gate does not understand it")
            return
        }
        let action = second.receive(answer)
        guard case .send(let refusal) = action else {
            Issue.record("another conversation of the same lane was given \(action)")
            return
        }
        #expect(refusal == StrangerTests.uniform)
    }
}
