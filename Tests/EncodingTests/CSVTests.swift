import Encoding
import Testing

/// Comma-separated values (RFC 4180).
@Suite("CSV") struct CSVTests {
    /// The rows of a text, fed in pieces of so many bytes.
    private func rows(_ bytes: [UInt8], pieces: Int = .max) -> [CSVRow] {
        var reader = CSVReader()
        var rows: [CSVRow] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            rows += reader.feed(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return rows + reader.finish()
    }

    private func texts(_ text: String) -> [[String]] {
        rows(Array(text.utf8)).map { if case .record(let fields) = $0 { fields.map(\.text) } else { ["fault"] } }
    }

    @Test func linesAndFields() {
        #expect(texts("") == [])
        #expect(texts("a") == [["a"]])
        #expect(texts("a,b\nc,d\n") == [["a", "b"], ["c", "d"]])
        #expect(texts("a,b\r\nc,d\r\n") == [["a", "b"], ["c", "d"]])
        #expect(texts("a,,\n,\n") == [["a", "", ""], ["", ""]])
        #expect(texts("\n\na\n\r\n\nb") == [["a"], ["b"]], "empty lines are none")
        #expect(texts(" a , b ") == [[" a ", " b "]], "spaces are part of a field (2.4)")
        #expect(texts("a,") == [["a", ""]])
    }

    @Test func quotationMarks() {
        #expect(texts(#""a","b""#) == [["a", "b"]])
        #expect(texts(#""Jones, Ben","""quoted""""#) == [["Jones, Ben", #""quoted""#]])
        #expect(texts("\"two\r\nlines\",b\nc") == [["two\r\nlines", "b"], ["c"]])
        #expect(texts(#""","""#) == [["", ""]])
    }

    /// Found by the fuzzer: one `Character` with the mark, and no longer equal to a quotation mark.
    @Test func aCombiningMarkHidesNoQuotationMark() {
        #expect(texts("x,\"\"\"\u{301}b\",c\n") == [["x", "\"\u{301}b", "c"]])
        #expect(texts("x\u{301},\u{301}y\n") == [["x\u{301}", "\u{301}y"]])
    }

    @Test func aByteOrderMarkIsLeftOut() {
        for pieces in [1, 2, 3, 4, 100] {
            #expect(rows([0xEF, 0xBB, 0xBF] + Array("a,b".utf8), pieces: pieces) == rows(Array("a,b".utf8)))
        }
        #expect(texts("a\n\u{FEFF}b") == [["a"], ["\u{FEFF}b"]], "at the beginning only")
        #expect(rows([0xEF]) == [.fault(.notUTF8, at: CSVPosition())])
    }

    @Test func whereTheyAre() {
        let text = "a,bé,c\n\"x\ny\",z\n\nw"
        let positions = rows(Array(text.utf8)).map { row -> [String] in
            if case .record(let fields) = row { fields.map { "\($0.position.line):\($0.position.column)" } } else { [] }
        }
        #expect(positions == [["1:1", "1:3", "1:6"], ["2:1", "3:4"], ["5:1"]])
    }

    static let faults: [(String, CSVFault, Int, Int)] = [
        ("ok\na\"b,c\nok\n", .strayQuote, 2, 2), ("ok\n\"a\"b\nok\n", .textAfterQuote, 2, 4), ("ok\na\rb\nok\n", .strayCarriageReturn, 2, 3),
        ("ok\nx,\"\"\"a\"b\nok\n", .textAfterQuote, 2, 8), ("ok\n\"a\" ,b\nok\n", .textAfterQuote, 2, 4)
    ]

    @Test(arguments: faults)
    func aFaultIsToldAndTheNextLineIsRead(text: String, fault: CSVFault, line: Int, column: Int) {
        let ok = { (line: Int) in CSVRow.record([CSVField(text: "ok", position: CSVPosition(line: line))]) }
        let expected = [ok(1), .fault(fault, at: CSVPosition(line: line, column: column)), ok(3)]
        for pieces in [1, 7, 1000] { #expect(rows(Array(text.utf8), pieces: pieces) == expected) }
    }

    @Test func aFieldThatNeverEndsIsNamedWhereItBegins() {
        #expect(rows(Array("a,\"b\nc\nd".utf8)) == [.fault(.unclosedQuote, at: CSVPosition(line: 1, column: 3))])
        #expect(rows(Array("a\r".utf8)) == [.fault(.strayCarriageReturn, at: CSVPosition(line: 1, column: 3))])
    }

    @Test func boundsHold() {
        let longest = String(repeating: "x", count: CSVReader.longestField)
        #expect(texts(longest) == [[longest]])
        #expect(rows(Array("\(longest)x,b\nok".utf8)).first == .fault(.fieldTooLong, at: CSVPosition()))
        #expect(texts("\(longest)x,b\nok") == [["fault"], ["ok"]])
        let most = [String](repeating: "f", count: CSVReader.mostFields).joined(separator: ",")
        #expect(texts(most + "\nok")[0].count == CSVReader.mostFields)
        #expect(texts(most + ",f\nok") == [["fault"], ["ok"]])
        #expect(texts(most + ",f,f\nok") == [["fault"], ["ok"]])
    }

    @Test func whatIsNoUTF8IsNamed() {
        #expect(rows([0x61, 0x2C, 0xC3, 0x28, 0x0A, 0x62]) == [
            .fault(.notUTF8, at: CSVPosition(line: 1, column: 3)), .record([CSVField(text: "b", position: CSVPosition(line: 2))])
        ])
    }

    /// Whatever the pieces, the rows are the same: RFC 4180 has no length in front.
    @Test func piecesDoNotMatter() {
        var state: UInt64 = 1
        let alphabet = Array("a,\"\"\n\r\né".utf8)
        for _ in 0..<300 {
            let bytes = (0..<40).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return alphabet[Int(state >> 33) % alphabet.count]
            }
            let whole = rows(bytes)
            for pieces in [1, 2, 5] { #expect(rows(bytes, pieces: pieces) == whole) }
        }
    }
}
