import Files

/// An open file that a client of the control socket passed along with a line (SCM_RIGHTS). The client had
/// the right to read it; the daemon need not. Closed when nobody holds it any more.
public final class PassedFile: Sendable {
    private let owned: FileDescriptor

    /// The descriptor, valid as long as this object lives.
    public var descriptor: Int32 { owned.raw }

    /// Takes over a descriptor.
    init(_ descriptor: Int32) { owned = FileDescriptor(owning: descriptor) }
}
