/// Key streams of ChaCha20, each under the SHA-256 of a label and a form, one after another with the same objects of the library: to
/// make those takes longer than the hash of a short form.
public final class HashedKeyStream {
    private let label: [UInt8]
    private let digest = DigestState(.sha256)
    private let cipher = KeyStreamCipher()
    private var stream: [UInt8]
    private var key = [UInt8](repeating: 0, count: SHA256.length)

    /// - Parameters:
    ///   - label: what comes before every form.
    ///   - count: how many bytes each stream has, at most 4,096.
    public init(label: [UInt8], count: Int) {
        self.label = label
        stream = [UInt8](repeating: 0, count: count)
    }

    /// Hands out the stream that belongs to a form; it is valid within `body`.
    public func withStream<Result>(of form: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        digest.restart()
        label.withUnsafeBytes { digest.update($0) }
        form.withUnsafeBytes { digest.update($0) }
        digest.finish(into: &key)
        cipher.fill(&stream, key: key)
        return stream.withUnsafeBytes(body)
    }
}
