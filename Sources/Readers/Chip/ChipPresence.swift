import ReaderProtocol

/// When what is in a chip's field is served. Phones and plain cards each have their `PresenceRule`: a phone in a case with a card in it is
/// served although the card had its result, and neither is served again because the chip found the other one in between.
struct ChipPresence {
    private var phones = PresenceRule()
    private var cards = PresenceRule()
    /// What was found last.
    private var kind = ReportedCard.Kind.isoDEP
    /// What the presentation that runs, or ran last, was of.
    private var served = ReportedCard.Kind.isoDEP

    var isPresent: Bool { rule(kind).isPresent }

    /// The chip has found this one.
    /// - Parameter isAnew: what was there was held, and has let go.
    mutating func found(_ kind: ReportedCard.Kind, isAnew: Bool, at now: Int64) {
        if kind != self.kind { change(self.kind) { $0.field(isPresent: false, at: now) } }
        let flickered = isAnew && kind == self.kind
        self.kind = kind
        change(kind) { rule in
            if flickered { rule.flickered(at: now) } else { rule.field(isPresent: true, at: now) }
        }
    }

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
        served = kind
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
