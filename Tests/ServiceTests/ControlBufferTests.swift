@testable import Service
import Testing

@Suite("Lines in, lines out")
struct ControlBufferTests {
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func lines(_ pieces: [String], limit: Int = 10) -> [String] {
        var buffer = LineBuffer(limit: limit)
        var lines: [String] = []
        for piece in pieces {
            buffer.append(piece.utf8)
            while let next = buffer.next() {
                switch next {
                case .line(let line): lines.append(String(decoding: line, as: UTF8.self))
                case .overlong: return lines + ["<overlong>"]
                }
            }
        }
        return lines
    }

    @Test("Lines come whole, however they are cut on the way", arguments: [
        ["one\ntwo\n"], ["o", "n", "e", "\n", "t", "wo\n"], ["one", "\n\n\n", "two", "\n", "rest"], ["\none\ntwo\n"]
    ])
    func cutting(pieces: [String]) {
        #expect(Self.lines(pieces) == ["one", "two"])
    }

    @Test("The limit is exact, with and without an end in sight", arguments: [
        (["1234567890\n"], ["1234567890"]), (["12345678901\n"], ["<overlong>"]), (["1234567890"], []),
        (["12345678901"], ["<overlong>"]), (["a\n12345", "678901"], ["a", "<overlong>"])
    ])
    func limit(pieces: [String], lines: [String]) {
        #expect(Self.lines(pieces) == lines)
    }

    @Test("hasLine says what next will do")
    func hasLine() {
        var buffer = LineBuffer(limit: 4)
        #expect(!buffer.hasLine)
        buffer.append(Self.bytes("ab"))
        #expect(!buffer.hasLine)
        buffer.append(Self.bytes("\n12345"))
        #expect(buffer.hasLine)
        #expect(buffer.next() == .line(Self.bytes("ab")))
        #expect(buffer.hasLine)
        #expect(buffer.next() == .overlong)
    }

    func output(_ limit: Int) -> OutputBuffer {
        OutputBuffer(limit: limit) { Self.bytes("lost \($0)") }
    }

    func text(_ output: OutputBuffer) -> String { String(decoding: output.pending, as: UTF8.self) }

    @Test("Events beyond the limit are dropped, and one note tells how many once there is room")
    func dropping() {
        var output = output(12)
        for number in 0..<5 { output.append(event: Self.bytes("ev\(number)")) }
        #expect(text(output) == "ev0\nev1\nev2\n")
        output.didSend(4)
        // Still more than half: the client has to catch up first.
        output.append(event: Self.bytes("ev5"))
        #expect(text(output) == "ev1\nev2\n")
        output.didSend(4)
        #expect(text(output) == "ev2\nlost 3\n")
        output.didSend(output.count)
        output.append(event: Self.bytes("ev6"))
        #expect(text(output) == "ev6\n")
    }

    @Test("Answers always find room")
    func answers() {
        var output = output(4)
        #expect(!output.isFull && output.isEmpty)
        output.append(answer: Self.bytes("a long answer"))
        output.append(answer: Self.bytes("b"))
        #expect(text(output) == "a long answer\nb\n")
        #expect(output.isFull)
    }

    @Test("Events lost elsewhere are told at once when there is room")
    func lostElsewhere() {
        var output = output(100)
        output.countDropped(0)
        #expect(output.isEmpty)
        output.countDropped(9)
        #expect(text(output) == "lost 9\n")
    }
}
