import Threads

/// Why a virtual card could not be put onto the virtual reader.
public enum VirtualCardError: Error, Hashable, Sendable {
    /// Nobody listens on that port: pcscd with the virtual reader does not run.
    case noReader(port: UInt16, errno: Int32)
    /// It is on the reader already.
    case alreadyInserted
    /// The system could not give a socket or a thread.
    case failed(doing: String, errno: Int32)

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .noReader: "card-no-reader"
        case .alreadyInserted: "card-already-inserted"
        case .failed: "card-failed"
        }
    }

    public var message: String {
        switch self {
        case .noReader(let port, let errno):
            "No virtual reader listens on port \(port) (\(SystemError.words(for: errno))). Install vsmartcard-vpcd "
                + "and start pcscd, or name the port that Tests/Support/private-pcscd printed."
        case .alreadyInserted: "The card is on the reader already."
        case .failed(let doing, let errno): "\(doing) failed: \(SystemError.words(for: errno))."
        }
    }
}
