/// A phone or card that the gate was told of.
struct Presentation: Hashable, Sendable {
    let number: UInt32
    let card: FoundCard
}
