import Files

/// What the handler of a control line wants done. Lines carry no line end; the server adds it.
public enum ControlReply: Sendable {
    /// Answer, then hear the next line.
    case lines([[UInt8]])
    /// Answer, then send every event that is broadcast from now on.
    case subscribe([[UInt8]])
    /// Do something that takes time on the server's second thread, one after the other, and answer with what
    /// it gives. The client is not heard meanwhile, everybody else is.
    case work(@Sendable () -> [[UInt8]])
    /// The same with the open file that came along with the line, nil when none did.
    case workOnFile(@Sendable (PassedFile?) -> [[UInt8]])
    /// Answer and close.
    case close([[UInt8]])
}

/// An open file that a client of the control socket passed along with a line (SCM_RIGHTS). The client had
/// the right to read it; the daemon need not. Closed when nobody holds it any more.
public final class PassedFile: Sendable {
    private let owned: FileDescriptor

    /// The descriptor, valid as long as this object lives.
    public var descriptor: Int32 { owned.raw }

    /// Takes over a descriptor.
    init(_ descriptor: Int32) { owned = FileDescriptor(owning: descriptor) }
}
