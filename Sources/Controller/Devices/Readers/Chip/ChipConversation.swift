/// A presentation at a chip, as the gate sees it.
struct ChipConversation {
    enum Exchange {
        /// No command is under way.
        case none
        /// The phone, or whoever is in between, owes an answer.
        case waiting
        /// It has come, or never will.
        case over(Result<[UInt8], LinkError>)
    }

    let presentation: UInt32
    private(set) var exchange = Exchange.none
    /// Why the phone cannot be reached any more.
    private(set) var end: LinkError?

    init(presentation: UInt32) {
        self.presentation = presentation
    }

    mutating func asks() { exchange = .waiting }

    mutating func comes(to result: Result<[UInt8], LinkError>) {
        if case .waiting = exchange { exchange = .over(result) }
    }

    /// Nothing more can be said to this phone.
    mutating func breaks(_ error: LinkError) {
        end = end ?? error
        comes(to: .failure(error))
    }

    /// Takes what the command came to; nil while it is under way.
    mutating func removeResult() -> Result<[UInt8], LinkError>? {
        guard case .over(let result) = exchange else { return nil }
        exchange = .none
        return result
    }

    /// Nobody waits for the answer any more.
    mutating func abandons() { exchange = .none }
}
