import Threads

extension AirPhone {
    /// One whose computing takes on the air the time that it takes here.
    public init(_ card: AirCard = .phone, misbehaviour: CardMisbehaviour? = nil, measuring answer: @escaping VirtualCard.Handler) {
        self.init(card, misbehaviour: misbehaviour, handler: { command in
            let begun = MonotonicTime.nanoseconds
            let bytes = answer(command)
            return CardAnswer(bytes, nanoseconds: MonotonicTime.nanoseconds - begun)
        })
    }
}
