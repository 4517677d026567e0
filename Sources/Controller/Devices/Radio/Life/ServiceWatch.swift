/// Whether bluetoothd still answers while it seems up. Pure; times are monotonic milliseconds.
///
/// A bluetoothd that hangs keeps its name on the bus, and the kernel goes on advertising for it: nobody tells. So it is asked for a
/// sign of life now and then, and sooner where it owes an answer. Anything that it says is one: ending a link that is out of
/// reach may take it longer than a hang may last, and then it answers the question in between.
struct ServiceWatch {
    private let patience: RadioPatience
    /// Since when it owes an answer, and has said nothing.
    private(set) var owesSince: Int64?
    private var nextQuestion: Int64

    init(_ patience: RadioPatience, now: Int64) {
        self.patience = patience
        nextQuestion = now + patience.quiet
    }

    /// Something was asked of it.
    mutating func asked(now: Int64) {
        guard owesSince == nil else { return }
        owesSince = now
        nextQuestion = min(nextQuestion, now + patience.doubt)
    }

    /// It has said something.
    /// - Parameter owesMore: there are answers that it owes still.
    mutating func received(owesMore: Bool, now: Int64) {
        owesSince = nil
        nextQuestion = now + (owesMore ? patience.doubt : patience.quiet)
    }

    /// True when it is to be asked for a sign of life; the next time comes later.
    mutating func isQuestionDue(at now: Int64) -> Bool {
        guard now >= nextQuestion else { return false }
        nextQuestion = now + patience.quiet
        return true
    }

    /// Since when it is silent; nil while it is not.
    func silence(at now: Int64) -> Int64? {
        guard let owesSince, now - owesSince >= patience.silent else { return nil }
        return owesSince
    }

    /// When one of these changes.
    func next(after now: Int64) -> Int64 {
        let silent = owesSince.map { $0 + patience.silent }.flatMap { $0 > now ? $0 : nil }
        return min(nextQuestion, silent ?? .max)
    }
}

/// How long the radios wait for whom, in milliseconds.
struct RadioPatience: Hashable, Sendable {
    /// The bus may take so long to let us in and to say who has the name of bluetoothd.
    var join: Int64 = 5_000
    /// So often a bluetoothd that owes nothing is asked for a sign of life.
    var quiet: Int64 = 30_000
    /// One that owes an answer for so long is asked for a sign of life.
    var doubt: Int64 = 2_000
    /// One that owes an answer for so long, and has said nothing else since, is silent.
    var silent: Int64 = 5_000
}
