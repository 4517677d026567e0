import ReaderProtocol

/// When what is in a chip's field is served. Phones and UID-only cards each have their `PresenceRule`: a phone in a case with a card in it is
/// served although the card had its result, and neither is served again because the chip found the other one in between.
struct ChipPresence {
    private var phones = PresenceRule()
    private var cards = PresenceRule()
    /// What was found last.
    private var kind = ReportedCard.Kind.isoDEP
    private var number: [UInt8] = []
    /// The number of what is being served, or was last.
    private var servedNumber: [UInt8] = []
    /// What the presentation that runs, or ran last, was of.
    private var served = ReportedCard.Kind.isoDEP

    var isPresent: Bool { rule(kind).isPresent }

    /// The chip has found one of that kind and number. Phones make their numbers up; one that is the same twice is the same one.
    /// - Parameter isAnew: what was there was held, and has let go.
    mutating func found(_ kind: ReportedCard.Kind, _ number: [UInt8], isAnew: Bool, at now: Int64) {
        if kind != self.kind { change(self.kind) { $0.hidden(at: now) } }
        let flickered = kind == self.kind && (isAnew || number != self.number)
        let isSame = kind == served && number == servedNumber
        (self.kind, self.number) = (kind, number)
        change(kind) { rule in
            if flickered, rule.isPresent {
                rule.flickered(isSame: isSame, at: now)
            } else {
                rule.field(isPresent: true, isSame: isSame, at: now)
            }
        }
    }

    /// Whether what is served may be the one that was served last.
    var mayBeTheSame: Bool { rule(served).mayBeTheSame }

    /// There is nobody.
    mutating func isEmpty(at now: Int64) {
        phones.field(isPresent: false, at: now)
        cards.field(isPresent: false, at: now)
    }

    /// Nobody knows what is there: the chip is out of sight.
    mutating func lostSight(at now: Int64) {
        phones.lostSight(at: now)
        cards.lostSight(at: now)
    }

    func step(at now: Int64) -> PresenceRule.Step { rule(kind).step(at: now) }

    /// The presentation of what was found last begins.
    mutating func begin() {
        (served, servedNumber) = (kind, number)
        change(kind) { $0.begin() }
    }

    mutating func end(_ disposition: PresentationDisposition, at now: Int64) {
        change(served) { $0.end(disposition, at: now) }
    }

    private func rule(_ kind: ReportedCard.Kind) -> PresenceRule {
        switch kind {
        case .isoDEP: phones
        case .plain: cards
        }
    }

    private mutating func change(_ kind: ReportedCard.Kind, _ body: (inout PresenceRule) -> Void) {
        switch kind {
        case .isoDEP: body(&phones)
        case .plain: body(&cards)
        }
    }
}
