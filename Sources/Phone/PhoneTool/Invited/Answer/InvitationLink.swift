import Encoding
import Invitations

/// Where a server of invitations is: what its links begin with.
public struct InvitationServer: Hashable, Sendable {
    /// Scheme, host, port if it is not 443, and the path without a slash at its end; host and scheme in lower case.
    public let base: String
    /// The same without the path, as a browser's `location.origin` has it: what statements name.
    public let origin: String
    /// Whether it is on this machine.
    let isLoopback: Bool

    /// - Parameter address: with or without a slash at its end. Nil for what is no address of https, has a query, or two slashes in a row.
    public init?(_ address: String) {
        guard let address = !address.contains("?") ? WebAddress(address) : nil, address.scheme == .https, !address.path.contains("//") else { return nil }
        origin = "https://\(address.host)\(address.port == 443 ? "" : ":\(address.port)")"
        isLoopback = ["localhost", "127.0.0.1", "[::1]"].contains(address.host)
        base = origin + (address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path)
    }
}

/// The link of an invitation: the server, and behind `/#` a code that is good for one phone.
public struct InvitationLink: Hashable, Sendable {
    /// Where the code can be redeemed.
    public let server: InvitationServer
    /// A secret until it was redeemed.
    public let code: InvitationCode

    /// A link of its parts.
    public init(server: InvitationServer, code: InvitationCode) {
        self.server = server
        self.code = code
    }

    /// Reads `https://gates.example/visit/#CODE`; the code is 22 characters of base64url.
    /// - Throws: `link`, which repeats nothing of the link.
    public init(_ text: String) throws(InvitedFault) {
        let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2 else { throw .link("It has no '#' with a code behind it; put it in quotation marks, whole.") }
        guard halves[0].hasSuffix("/"), let server = InvitationServer(halves[0]) else {
            throw .link("What stands before the '#' is no address of https that ends with a slash.")
        }
        guard let code = InvitationCode(halves[1]) else { throw .link("Behind the '#' there are not the 22 characters of a code.") }
        self.init(server: server, code: code)
    }
}
