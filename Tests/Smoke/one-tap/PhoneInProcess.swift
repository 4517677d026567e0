import PhoneTool
import Readers
import VirtualPhone

/// A phone whose link to the gate is a call in the same process.
final class PhoneInProcess: Link {
    private let card: TapCard

    init(_ identity: PhoneIdentity) {
        card = TapCard(PhoneCard(NFCPhone(identity: identity)))
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] { card.receive(command) }

    func close(atMonotonicMilliseconds deadline: Int64) {}

    func invalidate() {}

    /// The conversation so far.
    var record: TapRecord { card.unfinished }
}
