/// What phones are reading. A value that is longer than one answer is asked for in parts; all of them are of the value that
/// was read from its beginning.
struct ReadValues {
    private var values: [RadioLink: [UInt8]] = [:]

    /// Keeps a value that is read from its beginning.
    mutating func begin(_ value: [UInt8], _ link: RadioLink) { values[link] = value }

    /// Nothing is being read any more: the link has ended, or the value does not count.
    mutating func end(_ link: RadioLink) { values[link] = nil }

    /// What follows at an offset; nil where nothing can.
    func rest(at offset: Int, _ link: RadioLink) -> [UInt8]? {
        guard let value = values[link], offset >= 0, offset <= value.count else { return nil }
        return Array(value[offset...])
    }
}
