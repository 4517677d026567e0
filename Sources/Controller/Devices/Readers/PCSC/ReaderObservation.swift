import CPCSC

/// What PC/SC last said about one reader: its state word as it must be given back with the next
/// question, upper half counting the cards that came and went.
///
/// pcscd (1.9.9 to 2.3.3) can contradict itself: when a card is to be reset and is not there at that moment, the
/// reader becomes "empty" uncounted, while the thread that looks into it every 400 ms goes on knowing of a card. If
/// the next one comes before that thread's next look, nothing is ever reported, and pcscd lets nobody connect. A
/// reset may also find a card before that thread does; if it leaves before the next look, it is "present" for ever.
/// So only what was counted is believed, after the first look.
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
    /// What kind of card is there, as PC/SC saw it when it came; nil where it does not say.
    private(set) var card: CardKind?
    private var isPresent = false

    init(pcscName: String) {
        self.pcscName = pcscName
    }

    /// - Parameter answerToReset: of the card that is there; empty where PC/SC has none.
    mutating func update(_ new: DWORD, answerToReset: [UInt8] = []) {
        card = answerToReset.isEmpty ? nil : CardKind(answerToReset: answerToReset)
        let known = state != DWORD(SCARD_STATE_UNAWARE)
        let wasCounted = (state ^ new) >> 16 != 0
        switch (isPresent, Self.shows(DWORD(SCARD_STATE_PRESENT), new)) {
        case (true, true): change = wasCounted ? .flickered : .none
        case (false, true): change = !known || wasCounted || !Self.shows(DWORD(SCARD_STATE_EMPTY), state) ? .present : .none
        case (true, false): change = wasCounted || !Self.shows(DWORD(SCARD_STATE_EMPTY), new) ? .empty : .none
        // Counted: what was found there without pcscd's help (`ReadersState.found`) has left.
        case (false, false): change = known && !wasCounted ? .none : .empty
        }
        switch change {
        case .none: break
        case .present, .flickered: isPresent = true
        case .empty: isPresent = false
        }
        // "Changed" belongs to the answer, not to the state.
        state = new & ~DWORD(SCARD_STATE_CHANGED)
    }

    private static func shows(_ flag: DWORD, _ state: DWORD) -> Bool {
        state & flag != 0
    }
}

/// Everything the watcher has an eye on.
struct ReaderField {
    var readers: [ReaderObservation] = []
    /// PC/SC's reader that is none: it changes when readers come and go.
    var plugging = ReaderObservation(pcscName: "\\\\?PnP?\\Notification")

    /// Takes up new readers and forgets those that are gone.
    mutating func look(at names: [String]) {
        // One place is taken by the plugging notification.
        readers = names.prefix(Int(CPCSC_MOST_READERS) - 1).map { name in
            readers.first { $0.pcscName == name } ?? ReaderObservation(pcscName: name)
        }
    }
}
