import Invitations
import Storage
import Threads

/// Changes of the database, each whole or not at all, which wait for the disk together: while one transaction is on its way to it, whatever is
/// asked for gathers, and goes with the next one.
///
/// Any thread asks. The first one to come does the work of all who have gathered by then (`State.turn`); `state` guards who waits, and who has
/// the connection. Nothing runs under the lock.
final class SharedTransactions: Sendable {
    private typealias Work = @Sendable (DeskDatabase) throws(StorageError) -> Void

    private struct State {
        /// Lent to whoever leads.
        var database: DeskDatabase?
        var next = 0
        var waiting: [(number: Int, work: Work)] = []
        /// How each has ended who has not looked yet.
        var ended: [Int: StorageError?] = [:]

        enum Turn {
            case over(StorageError?)
            case lead(DeskDatabase, [(number: Int, work: Work)])
        }

        mutating func turn(of number: Int) -> Turn? {
            if let end = ended.removeValue(forKey: number) { return .over(end) }
            guard let database else { return nil }
            self.database = nil
            let batch = Array(waiting.prefix(SharedTransactions.most))
            waiting.removeFirst(batch.count)
            return .lead(database, batch)
        }
    }

    /// The most changes of one transaction.
    private static let most = 64

    private let state: Monitor<State>

    init(_ database: sending DeskDatabase) { state = Monitor(State(database: database)) }

    /// Makes a change. What it throws takes back what it has done, and nothing of anybody else's.
    /// - Returns: what it answers, after it is on the disk.
    func change<Answer: Sendable>(_ body: @escaping @Sendable (DeskDatabase) throws(DeskFailure) -> Answer) throws(DeskFailure) -> Answer {
        let outcome = Outcome<Answer>()
        let number = state.withLock { state in
            state.next += 1
            state.waiting.append((state.next, { database throws(StorageError) in try outcome.settle(body, on: database) }))
            return state.next
        }
        while true {
            switch state.wait({ $0.turn(of: number) }) {
            case .over(let error?): throw .desk(.storage(error))
            case .over(nil): return try outcome.get()
            case .lead(let database, let batch): lead(batch, on: database)
            }
        }
    }

    private func lead(_ batch: [(number: Int, work: Work)], on database: DeskDatabase) {
        var failure: StorageError?
        do throws(StorageError) {
            try database.connection.transaction { () throws(StorageError) in
                for item in batch { try item.work(database) }
            }
        } catch {
            failure = error
        }
        state.change { state in
            for item in batch { state.ended.updateValue(failure, forKey: item.number) }
            state.database = database
        }
    }
}

/// What became of one change.
private final class Outcome<Answer: Sendable>: Sendable {
    private let result = Mutex<Result<Answer, DeskFailure>?>(nil)

    /// Makes the change inside a transaction that others share. Throws where the whole transaction is lost.
    func settle(_ body: (DeskDatabase) throws(DeskFailure) -> Answer, on database: DeskDatabase) throws(StorageError) {
        try database.kept("SAVEPOINT change").run()
        let ended: Result<Answer, DeskFailure>
        do throws(DeskFailure) {
            ended = .success(try body(database))
        } catch {
            ended = .failure(error)
            do throws(StorageError) {
                try database.kept("ROLLBACK TO change").run()
            } catch let second {
                // After some errors, such as a full disk, SQLite has taken all of it back already; the first one says why.
                if case .desk(.storage(let first)) = error { throw first }
                throw second
            }
        }
        try database.kept("RELEASE change").run()
        result.withLock { $0 = ended }
    }

    func get() throws(DeskFailure) -> Answer {
        guard let ended = result.withLock({ $0 }) else { throw .desk(.storage(StorageError(.closed, "The change was not made."))) }
        return try ended.get()
    }
}

/// Why a change was not made.
enum DeskFailure: Error {
    /// Towards a phone.
    case fault(InvitationFault)
    /// Towards an operator.
    case desk(DeskError)

    /// What a phone is told.
    var fault: InvitationFault {
        switch self {
        case .fault(let fault): fault
        case .desk: .databaseAway
        }
    }

    /// What an operator is told, whose changes have no faults.
    var error: DeskError {
        switch self {
        case .fault: .storage(StorageError(.closed, "The change was not made."))
        case .desk(let error): error
        }
    }
}

/// Runs what reads or writes the database.
func inDatabase<Answer>(_ body: () throws(StorageError) -> Answer) throws(DeskFailure) -> Answer {
    do throws(StorageError) { return try body() } catch { throw .desk(.storage(error)) }
}
