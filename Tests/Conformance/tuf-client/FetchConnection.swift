import CLinux
import ControlProtocol
import Encoding
import Files
import Glibc
import Threads

/// Asks for files in frames, one after the other, and believes nothing of the answers.
final class FetchConnection {
    private let orders: FileDescriptor
    private let reports: FileDescriptor
    private var reader = FetchFrameReader()
    private var held: ArraySlice<UInt8> = []
    private var piece = [UInt8](repeating: 0, count: FetchFrameReader.mostBytes)

    /// - Parameters:
    ///   - orders: where to ask; it does not block.
    ///   - reports: where the answers come from; may be the same.
    init(orders: FileDescriptor, reports: FileDescriptor, setup: FetchSetup) throws(FetchBreach) {
        (self.orders, self.reports) = (orders, reports)
        try write(.setUp(setup))
    }

    /// Fetches one file.
    /// - Parameter take: told of the answer and of every piece; what it throws ends the fetch, and the connection is good for nothing then.
    /// - Returns: the answer; its bytes have been taken whole.
    func fetch(_ job: FetchJob, _ receive: (FetchStep) throws -> Void) throws -> FetchHead {
        var watch = FetchWatch(job, at: MonotonicTime.milliseconds)
        var head: FetchHead?
        try write(.fetch(job))
        while true {
            let step = try next(&watch)
            try receive(step)
            switch step {
            case .nothing, .bytes: break
            case .head(let answer): head = answer
            case .end:
                guard let head else { preconditionFailure("no file has an end before its answer: FetchWatch") }
                return head
            }
        }
    }

    private func write(_ order: FetchOrder) throws(FetchBreach) {
        let bytes = FetchFrame.order(order).bytes
        // So little is taken whole or not at all; who takes nothing does not read.
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
        do throws(FrameError) {
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
        // Something woke us, and another call has it: come again.
        if count == -Int(EAGAIN) { return }
        guard count > 0 else { throw .gone("it has ended") }
        held = piece[..<count]
    }
}
