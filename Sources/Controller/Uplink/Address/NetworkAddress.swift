import Glibc

/// An address that a connection is made to: 4 bytes of IPv4, or 16 of IPv6.
public struct NetworkAddress: Hashable, Sendable {
    /// In the order of the network. An address of IPv4 in an address of IPv6 (RFC 4291, 2.5.5; RFC 6052) is that of IPv4: connections to it go there.
    let bytes: [UInt8]

    /// Nil for what has neither length.
    init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = Self.hidden(in: bytes) ?? bytes
        default: return nil
        }
    }

    /// As people write it: `192.0.2.1`, `2001:db8::1`. Nil for anything else.
    public init?(_ text: String) {
        var four = in_addr(), six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: &four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(bytes: withUnsafeBytes(of: &six) { Array($0) })
        } else {
            return nil
        }
    }

    /// That of a `sockaddr`; nil for other families than the two.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            var four = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: &four) { Array($0) })
        case AF_INET6:
            var six = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: &six) { Array($0) })
        default:
            return nil
        }
    }

    /// Whether it leads to this machine, to whatever hangs on its own cables, or to many at once, and not to a server somewhere.
    public var isLocal: Bool { bytes.count == 4 ? isLocal4 : isLocal6 }

    /// RFC 6890: this network, loopback, link-local; RFC 5771: multicast; and what is reserved behind it.
    private var isLocal4: Bool { bytes[0] == 0 || bytes[0] == 127 || (bytes[0] == 169 && bytes[1] == 254) || bytes[0] >= 224 }

    /// `::`, `::1` and their like; link-local, site-local (RFC 3879), multicast.
    private var isLocal6: Bool {
        bytes.prefix(12).allSatisfy { $0 == 0 } || (bytes[0] == 0xFE && bytes[1] >= 0x80) || bytes[0] == 0xFF
    }

    /// Whether a connection there would lead back to this machine, by whichever of its addresses: the kernel would begin it there, too. Nothing is sent.
    static func isOwn(_ address: UnsafePointer<sockaddr>, length: UInt32) -> Bool {
        let probe = socket(Int32(address.pointee.sa_family), Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        var source = sockaddr_storage(), size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        guard connect(probe, address, length) == 0 else { return false }
        return withUnsafeMutableBytes(of: &source) { bytes in
            guard let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), getsockname(probe, name, &size) == 0 else { return false }
            return NetworkAddress(name) == NetworkAddress(address)
        }
    }

    private static func hidden(in bytes: [UInt8]) -> [UInt8]? {
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)
        if bytes.starts(with: mapped) || bytes.starts(with: translated) { return Array(bytes[12...]) }
        // 6to4 (RFC 3056).
        return bytes.starts(with: [0x20, 0x02]) ? Array(bytes[2..<6]) : nil
    }

    /// As people write it.
    public var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten = bytes.withUnsafeBytes { inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count)) != nil }
        return isWritten ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "?"
    }
}
