import CLinux
import ControlProtocol
import Encoding
import Files
import Threads

/// Serves one connection of whoever wants files: the gate, or the command line. One thread, which never waits for the network alone, so that
/// the end of the connection is seen whatever a server does.
public final class FetchService {
    private static let beatMilliseconds: Int64 = 1000

    private let wire: FetchWire
    private let multi: CurlMulti
    private let stop: FileDescriptor
    private let onRound: () -> Void
    private let permission: () -> FetchPermission
    /// By whose word this connection fetches, and what was asked for at its beginning.
    private var granted: (permission: FetchPermission, setup: FetchSetup)?
    private var stream = FetchOrderStream()
    private var fetch: HTTPFetch?
    /// When the next sign of life is due, in monotonic milliseconds.
    private var beatDue: Int64 = 0

    /// - Parameters:
    ///   - input: where orders come from.
    ///   - output: where reports go; for a socket the same.
    ///   - stop: ends it when it becomes readable.
    ///   - permission: asked when a connection is set up and before each file: what its owner takes back ends the connection.
    ///   - onRound: called at least once a second.
    public init(input: FileDescriptor, output: FileDescriptor, stop: FileDescriptor, permission: @escaping () -> FetchPermission = { .asked },
                onRound: @escaping () -> Void = {}) throws(FetchEnd) {
        guard let multi = CurlMulti() else { throw .noLibrary }
        do throws(SystemError) {
            wire = try FetchWire(input: input, output: output)
        } catch {
            throw .system(error)
        }
        (self.multi, self.stop, self.permission, self.onRound) = (multi, stop, permission, onRound)
    }

    /// Until the connection ends, and why it did. What is on its way then is given up.
    public func run() -> FetchEnd {
        do throws(FetchEnd) {
            while true { try goRound() }
        } catch {
            return error
        }
    }

    private func goRound() throws(FetchEnd) {
        let now = MonotonicTime.milliseconds
        beat(at: now)
        onRound()
        wire.flush()
        fetch?.perform { MonotonicTime.milliseconds }
        try receive(at: now)
        multi.wait(for: waitedFor, milliseconds: beatDue - now)
        if isAsked { throw .asked }
    }

    private func beat(at now: Int64) {
        guard now >= beatDue else { return }
        beatDue = now + Self.beatMilliseconds
        // Whoever does not read knows that we live by what waits there.
        if wire.hasRoom { wire.send(.beat) }
    }

    private func receive(at now: Int64) throws(FetchEnd) {
        while true {
            var bytes = try wire.receive()
            guard !bytes.isEmpty else { return }
            while let order = try stream.next(&bytes) { try obey(order, at: now) }
        }
    }

    private func obey(_ order: FetchOrder, at now: Int64) throws(FetchEnd) {
        switch order {
        case .setUp(let setup): try setUp(setup)
        case .fetch(let job):
            if let fault = try fault() { return wire.send(.failed(fault)) }
            guard let fetch, !fetch.isBusy else { throw .unexpected }
            fetch.begin(job, at: now)
        case .cancel:
            fetch?.cancel()
        }
    }

    /// Why nothing is fetched. Whoever asks may keep the connection for as long as he likes, but not the word of its beginning: where that is another
    /// by now, the connection is over. One by which nothing could be fetched may have been put right.
    private func fault() throws(FetchEnd) -> FetchFault? {
        guard let (before, setup) = granted else { throw .unexpected }
        if before != permission() {
            guard case .unusable = before else { throw .unexpected }
            try setUp(setup)
        }
        guard case .unusable(let fault)? = granted?.permission else { return nil }
        return fault
    }

    private func setUp(_ setup: FetchSetup) throws(FetchEnd) {
        let permission = permission(), policy: FetchPolicy?
        granted = (permission, setup)
        switch permission {
        case .asked: policy = nil
        case .listed(let listed): policy = listed
        case .unusable: return
        }
        guard let fetch = HTTPFetch(policy?.setup.asked(by: setup.agent) ?? setup, policy: policy, multi: multi, sink: wire) else { throw .noLibrary }
        self.fetch = fetch
    }

    private var waitedFor: [CurlMulti.Other] {
        var others = [CurlMulti.Other(descriptor: wire.input.raw, isForWriting: false), CurlMulti.Other(descriptor: stop.raw, isForWriting: false)]
        if wire.isWaiting { others.append(CurlMulti.Other(descriptor: wire.output.raw, isForWriting: true)) }
        return others
    }

    private var isAsked: Bool { clinux_poll(stop.raw, UInt32(CLINUX_READABLE), 0) > 0 }
}

/// Makes orders of the other side's bytes, and sees to it that they are orders: the set-up once, and first.
struct FetchOrderStream {
    private var reader = FetchFrameReader()
    private var isSetUp = false

    /// The next order in `bytes`, which it takes from their front; nil when more are needed.
    /// - Throws: when the other side does not keep to the protocol. Nothing that follows can be read.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(FetchEnd) -> FetchOrder? {
        let frame: FetchFrame?
        do throws(FrameError) {
            frame = try reader.next(from: &bytes)
        } catch {
            throw .broken(error)
        }
        guard let frame else { return nil }
        guard case .order(let order) = frame, isTimely(order) else { throw .unexpected }
        return order
    }

    private mutating func isTimely(_ order: FetchOrder) -> Bool {
        switch order {
        case .setUp:
            defer { isSetUp = true }
            return !isSetUp
        case .fetch, .cancel: return isSetUp
        }
    }
}
