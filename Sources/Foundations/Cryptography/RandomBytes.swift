import COpenSSL

/// Random bytes fit for keys, from libcrypto's own generator.
public enum RandomBytes {
    /// `count` unpredictable bytes.
    public static func make(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            // Without random numbers no key may be made; the gate stays shut.
            precondition(count == 0 || RAND_bytes_ex(nil, bytes.baseAddress, count, 0) == 1,
                         "the system gives no random numbers")
            filled = count
        }
    }
}
