/// Comparison that takes the same time wherever the difference lies.
public enum ConstantTime {
    /// Whether two byte strings are equal. Their lengths are no secret.
    public static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && CryptoLibrary.areEqual(a, b)
    }
}
