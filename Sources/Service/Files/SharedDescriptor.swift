import Glibc

/// An open descriptor several threads may use; closed when the last of them lets go of it.
final class SharedDescriptor: Sendable {
    let raw: Int32

    /// Takes over a descriptor that somebody just opened.
    init(_ raw: Int32) { self.raw = raw }

    deinit { _ = close(raw) }
}
