import ControlProtocol
import Encoding

/// What may be fetched, whoever asks: said by whoever owns the machine, and not by the gate.
public struct FetchPolicy: Hashable, Sendable {
    /// Addresses at or below which files lie.
    public let listed: [WebAddress]
    /// Those of them to whose servers the certificate is shown.
    public let known: [WebAddress]
    /// Local addresses that connections may lead to all the same.
    public let local: Set<NetworkAddress>
    /// The proxy, whom to believe, and who we are; its `agent` is that of whoever asks.
    public let setup: FetchSetup

    public init(listed: [WebAddress], known: [WebAddress], local: Set<NetworkAddress>, setup: FetchSetup) {
        (self.listed, self.known, self.local, self.setup) = (listed, known, local, setup)
    }

    /// Nil where the file may be asked for.
    func fault(of url: String) -> FetchFault? {
        guard let address = WebAddress(url), listed.contains(where: { $0.covers(address) }) else { return FetchFault(.notListed, url) }
        return nil
    }

    /// Whether the certificate is shown to the server of that file.
    func isKnown(_ url: String) -> Bool { WebAddress(url).map { address in known.contains { $0.isSameServer(as: address) } } ?? false }

    /// Whether a connection may lead there.
    /// - Parameter isOwn: the address is one of this machine's.
    func allows(_ address: NetworkAddress, isOwn: Bool = false) -> Bool { !address.isLocal && !isOwn || local.contains(address) }
}

/// By whose word files are fetched.
public enum FetchPermission: Hashable, Sendable {
    /// Whoever asks has started the program and could do all of it without: his own rights end it.
    case asked
    /// By that of the machine's owner.
    case listed(FetchPolicy)
    /// There should be such a word, and it cannot be read: nothing is fetched.
    case unusable(FetchFault)
}
