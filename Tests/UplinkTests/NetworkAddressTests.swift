import CLinux
import Glibc
import Testing

@testable import Uplink

@Suite("Addresses that connections lead to")
struct NetworkAddressTests {
    @Test("This machine, its own cables, and many at once", arguments: [
        "127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3", "169.254.169.254", "224.0.0.1", "255.255.255.255", "240.0.0.1",
        "::1", "::", "fe80::1", "febf::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::127.0.0.1",
        "2002:7f00:1::1", "2002:a9fe:a9fe::"
    ])
    func local(_ text: String) throws { #expect(try #require(NetworkAddress(text)).isLocal) }

    @Test("A server somewhere", arguments: [
        "192.0.2.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "126.255.255.255", "128.0.0.1", "169.253.0.1", "169.255.0.1", "223.255.255.255", "1.0.0.0",
        "2001:db8::1", "fd00::1", "fdff::1", "::ffff:192.0.2.1", "64:ff9b::192.0.2.1", "2002:c000:201::1"
    ])
    func elsewhere(_ text: String) throws { #expect(!(try #require(NetworkAddress(text)).isLocal)) }

    @Test("No address", arguments: ["", "localhost", "127.1", "0x7f000001", "2130706433", "::g", "fe80::1%eth0", "127.0.0.1 ", "[::1]"])
    func none(_ text: String) { #expect(NetworkAddress(text) == nil) }

    @Test func anAddressOfIPv4InOneOfIPv6IsThatOfIPv4() {
        #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("::ffff:192.0.2.1")?.text == "192.0.2.1")
        #expect(NetworkAddress("2001:DB8:0::1")?.text == "2001:db8::1")
    }

    @Test func anotherFamilyIsNoAddress() {
        var address = sockaddr()
        for family in [AF_UNIX, AF_UNSPEC, AF_NETLINK] {
            address.sa_family = sa_family_t(family)
            #expect(NetworkAddress(&address) == nil)
        }
    }

    /// A server of this machine that listens at its address in the local network is as near as one at ::1.
    @Test func eachAddressOfThisMachineIsItsOwn() throws {
        var first: UnsafeMutablePointer<ifaddrs>?
        try #require(getifaddrs(&first) == 0)
        defer { freeifaddrs(first) }
        var seen = 0
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }).prefix(100) {
            guard let entry, let name = entry.pointee.ifa_addr, let address = NetworkAddress(name) else { continue }
            let length = name.pointee.sa_family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            #expect(NetworkAddress.isOwn(name, length: UInt32(length)), "\(address.text)")
            seen += 1
        }
        #expect(seen > 0)
    }

    @Test func anAddressOfNobodyIsNotItsOwn() {
        // TEST-NET-3 (RFC 5737): also where there is no way to it.
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0xCB00_7107).bigEndian
        withUnsafePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { #expect(!NetworkAddress.isOwn($0, length: UInt32(MemoryLayout<sockaddr_in>.size))) }
        }
    }
}
