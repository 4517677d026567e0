import Testing

@testable import Controller
@testable import Sync

/// What the kernel's tables of routes say about a network that is back (S1).
@Suite struct NetworkSignTests {
    static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT                           \n"
    // 0.0.0.0/0 by 192.168.1.1, and 192.168.1.0/24.
    static let standard = "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0 \n"
    static let local = "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0 \n"

    private static func sign(_ route: String, _ ipv6: String = "") -> NetworkSign {
        NetworkSign(route: Array((head + route).utf8), ipv6: Array(ipv6.utf8))
    }

    @Test func aRouteThatWasNotThereIsAReturn() {
        #expect(Self.sign(Self.standard).isReturn(since: Self.sign("")))
        #expect(Self.sign(Self.local).isReturn(since: Self.sign("")), "the server may be on this very link")
        #expect(Self.sign(Self.local + Self.standard).isReturn(since: Self.sign(Self.local)))
    }

    @Test func whatGoesOrStaysIsNone() {
        #expect(!Self.sign("").isReturn(since: Self.sign(Self.standard)))
        #expect(!Self.sign("").isReturn(since: Self.sign("")))
        #expect(!Self.sign(Self.local).isReturn(since: Self.sign(Self.local + Self.standard)))
        let used = "eth0\t00000000\t0101A8C0\t0003\t7\t9\t100\t00000000\t0\t0\t0 \n"
        #expect(!Self.sign(used).isReturn(since: Self.sign(Self.standard)), "counts change all the time")
    }

    @Test func anotherGatewayIsOne() {
        let other = "wlan0\t00000000\t0102A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0 \n"
        #expect(Self.sign(other).isReturn(since: Self.sign(Self.standard)))
    }

    @Test func ofIPv6OnlyWhatLeadsSomewhereCounts() {
        let none = String(repeating: "0", count: 32)
        func line(_ destination: String, _ prefix: String, _ flags: String, _ interface: String) -> String {
            "\(destination) \(prefix) \(none) 00 fe800000000000000000000000000001 00000400 00000001 00000000 \(flags) \(interface)\n"
        }
        let nothing = Self.sign("", "")
        #expect(Self.sign("", line(none, "00", "00450003", "eth0")).isReturn(since: nothing))
        #expect(!Self.sign("", line(none, "00", "00200200", "lo")).isReturn(since: nothing), "the kernel's own refusal")
        #expect(!Self.sign("", line(none, "00", "00000201", "eth0")).isReturn(since: nothing))
        #expect(!Self.sign("", line("fe80" + none.dropFirst(4), "40", "00000001", "eth0")).isReturn(since: nothing))
        #expect(!Self.sign("", line("ff00" + none.dropFirst(4), "08", "00000001", "eth0")).isReturn(since: nothing))
    }

    @Test func whatIsNoTableSaysNothing() {
        let rubbish = NetworkSign(route: Array("a\tb\n\n\u{0}\tzz zz zz zz zz zz zz zz\n".utf8), ipv6: [0xFF, 0xFE, 0x0A])
        #expect(!rubbish.isReturn(since: Self.sign("")))
    }
}
