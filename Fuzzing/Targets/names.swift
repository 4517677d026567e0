import Encoding

/// What is allowed as a name is printed as it is; what is printed has nothing that nobody would see, stays a line, and is the same printed again.
func fuzz(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let line = PrintedText.line(text)
    precondition(same(PrintedText.line(line), line), "printing twice changes nothing")
    precondition(NameRule.unseen(in: line) == nil, "nothing unseen is printed")
    precondition(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a line stays a line")
    let lines = PrintedText.lines(text)
    precondition(!lines.utf8.contains { ($0 < 0x20 && $0 != 0x0A && $0 != 0x09) || $0 == 0x7F }, "lines stay lines")
    if let flaw = NameRule.flaw(in: text) {
        precondition((1...text.unicodeScalars.count).contains(flaw.place), "it says where")
        precondition(same(PrintedText.line(flaw.complaint), flaw.complaint), "what is said of a name can be printed")
        precondition(Array(text.unicodeScalars)[flaw.place - 1] == flaw.scalar, "it names what stands there")
    } else {
        precondition(same(line, text), "a name is printed as it is")
        precondition(NameRule.unseen(in: text) == nil, "no name has anything unseen")
    }
    let json: JSON = ["text": .string(text)]
    let printed = PrintedText.json(json)
    precondition((try? JSON.parse(Array(printed.utf8))) == json, "printed JSON is the same value")
    precondition(same(PrintedText.line(printed), printed), "printed JSON has nothing unseen")
    precondition(!PrintedText.line(PrintedText.word(text)).isEmpty, "a word is there")
}

private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
