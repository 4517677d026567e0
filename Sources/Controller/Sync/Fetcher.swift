import ControlProtocol
import Threads

/// Gets files by `tapstile-net`, one at a time, and believes nothing that it says: `FetchWatch` counts bytes, rate and time as they come. What
/// departs from the protocol ends the connection, and with it the program. For one thread.
final class Fetcher {
    /// Milliseconds between two connections at least: a program that dies at once is not started all the time.
    static let connectPause: Int64 = 1000
    /// A connection that nobody uses is kept for so long, so that the next run finds the server's still open.
    static let idleMilliseconds: Int64 = 20 * 60_000
    /// The bell is looked at, and the time, at least so often.
    private static let round: Int32 = 250

    private let connect: () throws(SystemError) -> FetchConnection
    private let bell: SyncBell
    private let now: () -> Int64
    private let startsProgram: Bool
    private let setup: FetchSetup
    private var connection: FetchConnection?
    private var connectedAt: Int64?
    /// Nothing has been heard over the connection yet.
    private var isStarting = false
    private var usedAt: Int64 = 0

    /// - Parameters:
    ///   - setup: what we are called; the way to servers is not the gate's to say.
    ///   - bell: calls off what goes on.
    ///   - now: monotonic milliseconds.
    ///   - startsProgram: whether a connection starts the program, which takes its time.
    ///   - connect: makes a connection to the program.
    init(_ setup: FetchSetup, bell: SyncBell, now: @escaping () -> Int64 = { MonotonicTime.milliseconds }, startsProgram: Bool = true,
         connect: @escaping () throws(SystemError) -> FetchConnection) {
        self.setup = setup
        self.bell = bell
        self.now = now
        self.startsProgram = startsProgram
        self.connect = connect
    }

    /// Ends the connection, and the program with it.
    func close() { connection = nil }

    /// Fetches one file.
    /// - Parameters:
    ///   - begin: is told what the server answered, before any byte. Status 200 begins with the first byte of the file, also where a rest was asked for.
    ///   - take: gets the bytes in order.
    ///   - givesWay: asked now and then; whether the rest of the file is left for later.
    /// - Returns: what the server answered; only with 200 and 206 there were bytes.
    func fetch(_ job: FetchJob, begin: (FetchHead) throws(SystemError) -> Void, receive: ([UInt8]) throws(SystemError) -> Void,
               givesWay: () -> Bool = { false }) throws(FetchStop) -> FetchHead {
        do throws(FetchStop) {
            let connection = try connected()
            try Self.send(.fetch(job), over: connection)
            return try follow(job, over: connection, begin: begin, receive: receive, givesWay: givesWay)
        } catch {
            if !error.leavesConnection { close() }
            throw error
        }
    }

    /// Fetches a file that is small enough to be held whole.
    /// - Returns: the answer, and the bytes where there were any.
    func fetch(_ job: FetchJob) throws(FetchStop) -> (head: FetchHead, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        let head = try fetch(job, begin: { _ in }, receive: { bytes += $0 })
        return (head, bytes)
    }

    /// Nobody fetches anything meanwhile: takes the signs of life that have come, and gives up a connection that is of no use any more.
    func rest() {
        guard let connection else { return }
        let now = now()
        guard now - usedAt < Self.idleMilliseconds else { return close() }
        do throws(FetchConnection.End) {
            while let report = try connection.receive() {
                guard case .beat = report else { return close() }
                isStarting = false
            }
        } catch {
            close()
        }
    }

    // The connection -----------------------------------------------------------------------------

    private func connected() throws(FetchStop) -> FetchConnection {
        // What came while nobody listened belongs to no file.
        rest()
        if let connection { return connection }
        try pauseBetweenConnections()
        connectedAt = now()
        do throws(SystemError) {
            let fresh = try connect()
            try fresh.send(.setUp(setup))
            connection = fresh
            isStarting = startsProgram
            usedAt = now()
            return fresh
        } catch {
            throw .breach(.gone(SystemError.words(for: error.number)))
        }
    }

    private func pauseBetweenConnections() throws(FetchStop) {
        while let connectedAt, now() - connectedAt < Self.connectPause {
            if bell.hasRung { throw .calledOff }
            bell.wait(milliseconds: min(Self.round, Int32(clamping: Self.connectPause - (now() - connectedAt))))
        }
    }

    private static func send(_ order: FetchOrder, over connection: FetchConnection) throws(FetchStop) {
        do throws(SystemError) {
            try connection.send(order)
        } catch {
            throw .breach(.gone(SystemError.words(for: error.number)))
        }
    }

    // One file -----------------------------------------------------------------------------------

    private func follow(_ job: FetchJob, over connection: FetchConnection, begin: (FetchHead) throws(SystemError) -> Void,
                        receive: ([UInt8]) throws(SystemError) -> Void, givesWay: () -> Bool) throws(FetchStop) -> FetchHead {
        var watch = FetchWatch(job, at: now(), isStarting: isStarting)
        var answer: FetchHead?
        while true {
            switch try step(&watch, over: connection, givesWay: givesWay) {
            case .nothing: continue
            case .head(let head):
                answer = head
                try Self.keeping { () throws(SystemError) in try begin(head) }
            case .bytes(let bytes):
                try Self.keeping { () throws(SystemError) in try receive(bytes) }
            case .end:
                usedAt = now()
                // The watch lets no end by without an answer before it.
                guard let answer else { throw .breach(.outOfTurn("an end without an answer")) }
                return answer
            }
        }
    }

    /// The next thing that is said, or the breach that nothing is.
    private func step(_ watch: inout FetchWatch, over connection: FetchConnection, givesWay: () -> Bool) throws(FetchStop) -> FetchStep {
        while true {
            if bell.hasRung { throw .calledOff }
            if givesWay() { throw .gaveWay }
            let report = try Self.report(of: connection)
            do throws(FetchBreach) {
                if let report {
                    isStarting = false
                    return try watch.receive(report, at: now())
                }
                try watch.passed(to: now())
            } catch {
                throw .breach(error)
            }
            let wait = Int32(clamping: max(1, watch.wakeAt - now()))
            Loop.outside(Self.waiting) { connection.wait(or: bell.descriptor, milliseconds: min(Self.round, wait)) }
        }
    }

    private static let waiting = OutsideCall("tapstile-net", .watchedElsewhere)

    private static func report(of connection: FetchConnection) throws(FetchStop) -> FetchReport? {
        do throws(FetchConnection.End) {
            return try connection.receive()
        } catch {
            switch error {
            case .closed: throw .breach(.gone("it has ended the connection"))
            case .broken(let flaw): throw .breach(.broken(flaw))
            }
        }
    }

    private static func keeping(_ body: () throws(SystemError) -> Void) throws(FetchStop) {
        do throws(SystemError) {
            try body()
        } catch {
            throw .disk(error)
        }
    }
}
