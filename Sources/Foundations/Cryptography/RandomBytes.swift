/// Random bytes fit for keys, from the library's own generator.
public enum RandomBytes {
    /// `count` unpredictable bytes.
    public static func make(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            CryptoLibrary.fillAtRandom(bytes, count: count)
            filled = count
        }
    }
}
