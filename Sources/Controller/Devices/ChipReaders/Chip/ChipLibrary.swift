import CNFC
import Glibc

/// libnfc in this process. Its list of drivers belongs to all contexts and goes with the first one that is given up: so there is
/// one, for good. Setting up its log changes the environment: whoever has threads makes it before them.
final class ChipLibrary: @unchecked Sendable { // libnfc only reads a context once it is made
    static let shared = ChipLibrary()

    private let context: OpaquePointer?

    private init() {
        // Its complaints name nothing that is not reported as well. Whoever wants them sets a higher level.
        setenv("LIBNFC_LOG_LEVEL", "0", 0)
        var context: OpaquePointer?
        nfc_init(&context)
        self.context = context
    }

    /// Opens a chip under libnfc's name for it; nil when that fails for whatever reason.
    func open(_ connection: String) -> OpaquePointer? {
        context.flatMap { nfc_open($0, connection) }
    }
}
