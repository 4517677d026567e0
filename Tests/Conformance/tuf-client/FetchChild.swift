import CLinux
import ControlProtocol
import Files
import Glibc
import Threads

/// A `tapstile-net fetch` of our own, with the environment of this process. It ends with this object.
final class FetchChild: FetchSource {
    private let process: pid_t
    let connection: FetchConnection

    init(program: String, setup: FetchSetup) throws(FetchBreach) {
        var (to, from) = (Int32(-1), Int32(-1))
        process = clinux_start_child(program, "fetch", &to, &from)
        guard process > 0 else { throw .gone("\(program): \(SystemError.words(for: -process))") }
        connection = try FetchConnection(orders: FileDescriptor(owning: to, path: "the fetcher"),
                                         reports: FileDescriptor(owning: from, path: "the fetcher"), setup: setup)
    }

    deinit {
        // It has nothing to put in order.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}
