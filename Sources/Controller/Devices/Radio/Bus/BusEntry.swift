/// A key of a dictionary, and what belongs to it.
struct BusEntry: Hashable, Sendable {
    let key: BusValue
    let value: BusValue
}
