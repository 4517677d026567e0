// with: Sources/Controller/Uplink/Transfer/AnswerHeader.swift

/// The header of a server's answer, a line at a time as libcurl hands it over. The first byte says how often each line comes.
func fuzz(_ input: [UInt8]) {
    guard let first = input.first else { return }
    var header = AnswerHeader()
    var count = 0
    for line in input.dropFirst().split(separator: 0x0A, omittingEmptySubsequences: false) {
        for _ in 0...Int(first) {
            count += line.count
            let isTaken = Array(line).withUnsafeBytes { header.read($0) }
            precondition(isTaken == (count <= AnswerHeader.mostBytes), "all lines count, and no more are taken than may be")
            if !isTaken { return }
        }
    }
    if let start = header.rangeStart { precondition(start >= 0, "no part begins before the beginning") }
    for value in [header.etag, header.contentRange] {
        guard let value else { continue }
        precondition(value.first.map { $0 > 0x20 } ?? true && value.last.map { $0 > 0x20 } ?? true, "no blank is left around a value")
    }
}
