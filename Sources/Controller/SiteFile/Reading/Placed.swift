import Configuration

/// Something that was read, with its place.
struct Placed<Value> {
    let value: Value
    let position: TextPosition
}
