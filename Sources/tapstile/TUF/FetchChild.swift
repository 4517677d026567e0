import CLinux
import ControlProtocol
import Files
import Glibc
import Threads

/// A `tapstile-net fetch` of our own, with the environment of this process. Nothing that it says is believed, and it ends with this object.
final class FetchChild {
    private let process: pid_t
    private let orders: FileDescriptor
    private let reports: FileDescriptor
    private var reader = FetchFrameReader()
    private var held: ArraySlice<UInt8> = []
    private var piece = [UInt8](repeating: 0, count: FetchFrameReader.mostBytes)

    init(program: String, setup: FetchSetup) throws(FetchBreach) {
        var (to, from) = (Int32(-1), Int32(-1))
        process = clinux_start_child(program, "fetch", &to, &from)
        guard process > 0 else { throw .gone("\(program): \(SystemError.words(for: -process))") }
        orders = FileDescriptor(owning: to, path: "the fetcher")
        reports = FileDescriptor(owning: from, path: "the fetcher")
        try say(.setUp(setup))
    }

    deinit {
        // It has nothing to put in order.
        guard process > 0 else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Fetches one file.
    /// - Parameter take: told of the answer and of every piece; what it throws ends the fetch, and the child with it.
    /// - Returns: the answer; its bytes have been taken whole.
    func fetch(_ job: FetchJob, _ take: (FetchStep) throws -> Void) throws -> FetchHead {
        var watch = FetchWatch(job, at: MonotonicTime.milliseconds)
        var head: FetchHead?
        try say(.fetch(job))
        while true {
            let step = try next(&watch)
            try take(step)
            switch step {
            case .nothing, .bytes: break
            case .head(let answer): head = answer
            case .end:
                guard let head else { preconditionFailure("no file has an end before its answer: FetchWatch") }
                return head
            }
        }
    }

    private func say(_ order: FetchOrder) throws(FetchBreach) {
        let bytes = FetchFrame.order(order).bytes
        // A pipe takes so little whole or not at all; one that takes nothing has nobody who reads.
        guard clinux_write(orders.raw, bytes, bytes.count) == bytes.count else { throw .gone("it does not listen") }
    }

    private func next(_ watch: inout FetchWatch) throws(FetchBreach) -> FetchStep {
        while true {
            if let frame = try frame() {
                guard case .report(let report) = frame else { throw .outOfTurn("an order") }
                return try watch.receive(report, at: MonotonicTime.milliseconds)
            }
            try wait(&watch)
        }
    }

    private func frame() throws(FetchBreach) -> FetchFrame? {
        do throws(FetchFrameError) {
            return try reader.next(from: &held)
        } catch {
            throw .broken(error)
        }
    }

    /// For more bytes, as long as the watch has patience.
    private func wait(_ watch: inout FetchWatch) throws(FetchBreach) {
        try watch.passed(to: MonotonicTime.milliseconds)
        let patience = Int32(clamping: watch.wakeAt - MonotonicTime.milliseconds + 1)
        guard clinux_poll(reports.raw, UInt32(CLINUX_READABLE), max(0, patience)) != 0 else { return }
        let count = clinux_read(reports.raw, &piece, piece.count)
        guard count > 0 else { throw .gone("it has ended") }
        held = piece[..<count]
    }
}
