/// Which ways out of this machine the kernel knows of: enough to notice that a network is back, without asking anybody for it (S1).
///
/// Pure: read from the text of `/proc/net/route` and `/proc/net/ipv6_route` (proc(5)). The gate has no network sockets that could tell.
package struct NetworkSign: Equatable, Sendable {
    /// Each route as interface, destination and gateway; what the kernel counts there is left out.
    private let routes: Set<String>

    /// - Parameters:
    ///   - route: the text of `/proc/net/route`.
    ///   - ipv6: the text of `/proc/net/ipv6_route`; empty where there is no IPv6.
    package init(route: [UInt8], ipv6: [UInt8]) {
        routes = Set(Self.lines(route).compactMap(Self.route)).union(Self.lines(ipv6).compactMap(Self.route6))
    }

    /// Whether this is worth a try after what was there before failed.
    func isReturn(since before: NetworkSign) -> Bool { !routes.isSubset(of: before.routes) }

    private static func lines(_ text: [UInt8]) -> [[String]] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { String($0) }
        }
    }

    /// Interface, destination, gateway, flags, three counts, mask, …; in hexadecimal. The first line has names instead.
    private static func route(_ fields: [String]) -> String? {
        guard fields.count >= 8, let flags = UInt32(fields[3], radix: 16), isUsable(flags, fields[0]) else { return nil }
        return "\(fields[0]) \(fields[1])/\(fields[7]) \(fields[2])"
    }

    /// Destination, length of its prefix, source, its length, next hop, three counts, flags, interface.
    private static func route6(_ fields: [String]) -> String? {
        guard fields.count >= 10, let flags = UInt32(fields[8], radix: 16), isUsable(flags, fields[9]), !isOfTheLink(fields[0]) else { return nil }
        return "\(fields[9]) \(fields[0])/\(fields[1]) \(fields[4])"
    }

    /// Up, and neither refusing (`RTF_REJECT`) nor this machine itself.
    private static func isUsable(_ flags: UInt32, _ interface: String) -> Bool {
        flags & 0x1 != 0 && flags & 0x200 == 0 && interface != "lo"
    }

    /// fe80::/10 and ff00::/8 are there as soon as a cable is: nobody is reached by them.
    private static func isOfTheLink(_ destination: String) -> Bool {
        ["fe8", "fe9", "fea", "feb", "ff"].contains { destination.hasPrefix($0) }
    }
}
