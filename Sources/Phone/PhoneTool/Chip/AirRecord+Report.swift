import Encoding
import VirtualPhone

extension AirRecord {
    /// One line for whoever watches the air: microseconds by the chip's clock, and what there was.
    public var json: JSON {
        let microseconds = JSON(time / 1_000)
        return switch event {
        case .fieldOn: ["us": microseconds, "field": true]
        case .fieldOff: ["us": microseconds, "field": false]
        case .sent(let frame): ["us": microseconds, "sent": .string(Hex.encode(frame.bytes)), "bits": JSON(frame.lastBits)]
        case .answered(let frame): ["us": microseconds, "answered": .string(Hex.encode(frame.bytes)), "bits": JSON(frame.lastBits)]
        }
    }
}
