import Encoding

/// The lane at which a phone would like to be served, where several lanes share one radio (EAD_1). It is not critical:
/// a gate that does not know the lane, or the item, takes another, and EAD_2 names the one taken.
public struct RequestedLane: Hashable, Sendable {
    /// Name of the lane, at most 32 bytes.
    public let lane: String

    public init(lane: String) {
        self.lane = lane
    }

    /// The item, which is not critical.
    public var item: EADItem {
        EADItem(label: PhoneProtocolProfile.requestedLaneLabel, isCritical: false, value: CBOR.text(lane).encoded)
    }

    /// Reads the value of the item; nil if it is not one.
    public init?(value: [UInt8]) {
        guard let lane = try? CBOR.decode(value).text, (1...PhoneProtocolProfile.maximumNameLength).contains(lane.utf8.count) else { return nil }
        self.init(lane: lane)
    }

    /// The request in a message_1, read before anything is settled; nil if there is none, or more than one.
    init?(message1: [UInt8]) {
        guard let items = try? Message1(parsing: message1).ead.filter({ $0.label == PhoneProtocolProfile.requestedLaneLabel }),
              items.count == 1, let value = items[0].value
        else { return nil }
        self.init(value: value)
    }
}
