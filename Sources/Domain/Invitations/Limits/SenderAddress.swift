/// From where a request comes, as far as limits tell senders apart: an address of IPv4, or the first 64 bits of one of IPv6, of which everybody
/// has as many as they like behind them.
public struct SenderAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter bytes: 4 of IPv4 or 16 of IPv6, in network order; those of IPv4 that come as IPv6 (`::ffff:…`, RFC 4291, 2.5.5.2) count as
    ///   IPv4. Anything else, such as the peer of a Unix socket, is one sender.
    public init(bytes: [UInt8]) {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        switch bytes.count {
        case 16 where bytes.starts(with: mapped): self.bytes = Array(bytes[12...])
        case 16: self.bytes = Array(bytes[..<8])
        default: self.bytes = bytes
        }
    }
}
