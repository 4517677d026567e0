/// The highest bit rate that the chip may agree upon with a phone (ISO/IEC 14443-4, 5.3).
public enum ReaderBitRate: UInt8, Hashable, Sendable, CaseIterable {
    /// 106 kbit/s, which every phone has.
    case kilobits106 = 0
    /// 212 kbit/s.
    case kilobits212 = 1
    /// 424 kbit/s.
    case kilobits424 = 2
}
