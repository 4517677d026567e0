import CPCSC

/// What PC/SC last said about one reader: its state word as it must be given back with the next
/// question, upper half counting the cards that came and went.
struct ReaderObservation {
    /// What is in the field, compared with the look before.
    enum Change: Equatable {
        case none
        case present
        case empty
        /// Present before and now, and gone in between.
        case flickered
    }

    let pcscName: String
    private(set) var state: DWORD = DWORD(SCARD_STATE_UNAWARE)
    private(set) var change = Change.none

    init(pcscName: String) {
        self.pcscName = pcscName
    }

    mutating func update(_ new: DWORD) {
        let known = state != DWORD(SCARD_STATE_UNAWARE)
        let (wasPresent, isPresent) = (Self.isPresent(state), Self.isPresent(new))
        switch (wasPresent, isPresent) {
        case (true, true): change = (state ^ new) >> 16 == 0 ? .none : .flickered
        case (false, true): change = .present
        case (true, false): change = .empty
        case (false, false): change = known ? .none : .empty
        }
        // "Changed" belongs to the answer, not to the state.
        state = new & ~DWORD(SCARD_STATE_CHANGED)
    }

    private static func isPresent(_ state: DWORD) -> Bool {
        state & DWORD(SCARD_STATE_PRESENT) != 0
    }
}
