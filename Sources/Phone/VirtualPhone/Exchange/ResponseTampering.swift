/// Something that happens to one of a phone's responses on the air, for tests of the gate. Responses
/// are counted from 1, as `CardMisbehaviour` counts commands; presence and silence are its matter.
public enum ResponseTampering: Hashable, Sendable {
    /// One byte, from 0, is XORed with a mask.
    case flipped(response: Int, byte: Int, mask: UInt8)
    /// Only the first bytes arrive.
    case truncated(response: Int, toCount: Int)
    /// Other bytes arrive instead: a replay, or noise.
    case replaced(response: Int, by: [UInt8])

    /// What arrives of the response with this number.
    public func apply(to bytes: [UInt8], response number: Int) -> [UInt8] {
        switch self {
        case .flipped(let response, let byte, let mask):
            guard response == number, bytes.indices.contains(byte) else { return bytes }
            var changed = bytes
            changed[byte] ^= mask
            return changed
        case .truncated(let response, let count):
            return response == number ? Array(bytes.prefix(max(0, count))) : bytes
        case .replaced(let response, let other):
            return response == number ? other : bytes
        }
    }
}
