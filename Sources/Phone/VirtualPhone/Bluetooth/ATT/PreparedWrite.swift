/// A value on its way in parts (Core 5.4, Vol 3 Part G, 4.9.4).
struct PreparedWrite: Hashable, Sendable {
    let handle: UInt16
    /// Where the part that is on its way begins.
    private(set) var offset: Int
    /// That part.
    private(set) var part: [UInt8]
    private var rest: ArraySlice<UInt8>
    /// Whether the gate has taken a part.
    private(set) var isBegun = false

    /// nil if its end has no offset.
    /// - Parameter partLength: of each part but the last.
    init?(_ value: [UInt8], to handle: UInt16, offset: Int, partLength: Int) {
        guard offset >= 0, value.count <= ATTLimits.greatestOffset, offset <= ATTLimits.greatestOffset - value.count else { return nil }
        self.handle = handle
        self.offset = offset
        part = Array(value.prefix(partLength))
        rest = value.dropFirst(partLength)
    }

    var request: ATTRequest { .prepareWrite(handle, offset: UInt16(offset), part: part) }

    /// Goes on to the next part. False when there is none.
    mutating func advance() -> Bool {
        isBegun = true
        guard !rest.isEmpty else { return false }
        offset += part.count
        let length = part.count
        part = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        return true
    }
}
