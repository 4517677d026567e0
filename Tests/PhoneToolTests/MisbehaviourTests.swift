@testable import PhoneTool
import Testing
import VirtualPhone

@Suite("What a phone can do wrong on purpose")
struct MisbehaviourTests {
    static let read: [(String, Misbehaviour)] = [
        ("leave-at=2", .card(.leaves(atCommand: 2))), ("leave-after=3", .card(.leavesAfter(command: 3))),
        ("silent-at=2", .card(.silent(atCommand: 2, forMilliseconds: nil))),
        ("silent-at=2:4000", .card(.silent(atCommand: 2, forMilliseconds: 4000))),
        ("late-at=2:900", .card(.late(atCommand: 2, milliseconds: 900))),
        ("flip-bit=1", .answer(1, .bitFlipped(nil))), ("flip-bit=1:17", .answer(1, .bitFlipped(17))),
        ("truncate=2", .answer(2, .truncated)), ("oversize=2", .answer(2, .oversized)), ("repeat=2", .answer(2, .repeated)),
        ("random=2", .answer(2, .random)), ("empty=2", .answer(2, .empty)), ("wrong-aid", .answer(1, .applicationUnknown))
    ]

    @Test(arguments: read)
    func eachFormIsRead(text: String, misbehaviour: Misbehaviour) throws {
        #expect(try Misbehaviour(text) == misbehaviour)
    }

    @Test(arguments: ["", "leave-at", "leave-at=", "leave-at=0", "leave-at=x", "leave-at=1:2", "late-at=1", "late-at=1:2:3",
                      "silent-at=1:-5", "wrong-aid=1", "sing=1", "flip-bit=1:", "=1"])
    func anythingElseIsRefused(text: String) {
        #expect(throws: PhoneToolError.misbehaviour(text)) { try Misbehaviour(text) }
    }

    @Test func everyFormInTheHelpIsRead() {
        for (form, _) in Misbehaviour.forms {
            let text = form.split(separator: "[")[0].replacing("N", with: "1").replacing("MS", with: "2")
            #expect(throws: Never.self) { try Misbehaviour(String(text)) }
        }
    }

    @Test func answersGoWrongAsSaid() {
        let answer: [UInt8] = [1, 2, 3, 4, 0x90, 0x00]
        #expect(AnswerFault.bitFlipped(nil).apply(to: answer, after: []) == [1, 2, 3, 5, 0x90, 0x00])
        #expect(AnswerFault.bitFlipped(0).apply(to: answer, after: []) == [0x81, 2, 3, 4, 0x90, 0x00])
        #expect(AnswerFault.bitFlipped(47).apply(to: answer, after: []) == [1, 2, 3, 4, 0x90, 0x01])
        #expect(AnswerFault.bitFlipped(48).apply(to: answer, after: []) == answer)
        #expect(AnswerFault.truncated.apply(to: answer, after: []) == [1, 2, 0x90, 0x00])
        #expect(AnswerFault.empty.apply(to: answer, after: []) == [0x90, 0x00])
        #expect(AnswerFault.repeated.apply(to: answer, after: [7]) == [7])
        #expect(AnswerFault.oversized.apply(to: answer, after: []).count == 2002)
        #expect(AnswerFault.oversized.apply(to: answer, after: []).suffix(2) == [0x90, 0x00])
        #expect((1...255).contains(AnswerFault.random.apply(to: answer, after: []).count))
        #expect(AnswerFault.applicationUnknown.apply(to: answer, after: []) == [0x6A, 0x82])
        #expect(AnswerFault.bitFlipped(nil).apply(to: [0x69, 0x85], after: []) == [0xE9, 0x85])
    }
}
