import Encoding

/// No input stops the readers of APDUs and data objects; what they accept survives writing and reading.
func fuzz(_ input: [UInt8]) {
    if let command = try? CommandAPDU(parsing: input) {
        precondition((try? CommandAPDU(parsing: command.encoded)) == command, "a command is read as written")
        chain(command)
    }
    if let response = try? ResponseAPDU(parsing: input) {
        precondition(response.encoded == input, "a response has one form")
    }
    walk(input)
    converse(input)
}

/// Splits the command and puts it together again.
private func chain(_ command: CommandAPDU) {
    guard command.cla & CommandChain.chainingBit == 0 else { return }
    var collector = CommandCollector(limit: command.data.count)
    for (place, link) in CommandChain(command).commands.enumerated() {
        guard let action = try? collector.receive(link) else { preconditionFailure("link \(place) is refused") }
        if case .complete(let whole) = action {
            precondition(whole.data == command.data && whole.cla == command.cla, "the chain is the command")
        }
    }
}

/// Takes every data object in the input apart, level by level.
private func walk(_ input: [UInt8]) {
    var waiting = [input]
    while let bytes = waiting.popLast() {
        guard let objects = try? BERTLV.parse(bytes) else { continue }
        let written = BERTLV.encode(objects)
        precondition((try? BERTLV.parse(written)) == objects, "objects are read as written")
        precondition(written.count <= bytes.count, "objects are written in their shortest form")
        waiting += objects.filter(\.isConstructed).map(\.value)
    }
}

/// Reads the input as length-prefixed APDUs and gives them to both collectors.
private func converse(_ input: [UInt8]) {
    let limit = 300
    var reader = ResponseCollector(limit: limit)
    var card = CommandCollector(limit: limit)
    var rest = input[...]
    while let count = rest.popFirst() {
        let part = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        if let response = try? ResponseAPDU(parsing: part), let action = try? reader.receive(response) {
            if case .complete(let data, _) = action { precondition(data.count <= limit, "bounded") }
        }
        if let command = try? CommandAPDU(parsing: part), let action = try? card.receive(command) {
            if case .complete(let whole) = action { precondition(whole.data.count <= limit, "bounded") }
        }
    }
}
