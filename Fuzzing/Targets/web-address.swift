@testable import Encoding

/// Two addresses with a line feed in between: what is read is read the same from what it means, and who lies below an address is of its server.
func fuzz(_ input: [UInt8]) {
    let pieces = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map { WebAddress(String(decoding: $0, as: UTF8.self)) }
    for case let address? in pieces {
        let again = WebAddress("\(address.scheme)://\(address.host):\(address.port)\(address.path)")
        precondition(again == address, "an address means one place")
        precondition(address.covers(address), "an address covers itself")
        precondition(address.path.utf8.first == 0x2F, "a path begins with a slash")
        precondition(!address.path.utf8.split(separator: 0x2F).contains { $0.elementsEqual([0x2E, 0x2E]) }, "no path climbs")
        precondition(!address.host.utf8.contains { $0 == 0x40 || $0 == 0x2F || $0 == 0x3F || (0x41...0x5A).contains($0) }, "a host is a host, in small letters")
    }
    guard pieces.count == 2, let prefix = pieces[0], let other = pieces[1], prefix.covers(other) else { return }
    precondition(prefix.isSameServer(as: other), "nothing of another server lies below an address")
    precondition(other.path.utf8.starts(with: prefix.path.utf8), "what lies below begins alike")
}
