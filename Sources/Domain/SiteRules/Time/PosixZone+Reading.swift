extension PosixZone {
    /// Reads a TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else. Daylight saving without its two
    /// dates is refused: what they would be is nobody's standard.
    init?(_ text: some Sequence<UInt8>) {
        var reader = PosixZoneReader(text)
        guard reader.name(), let standard = reader.offset() else { return nil }
        guard !reader.isAtEnd else {
            self.init(standard: -standard, daylight: nil)
            return
        }
        guard reader.name() else { return nil }
        // An hour ahead of standard time where nothing is said.
        let offset = reader.isAt(",") ? standard - 3600 : reader.offset()
        guard let offset, reader.take(","), let begins = reader.change(), reader.take(","), let ends = reader.change(),
              reader.isAtEnd else { return nil }
        self.init(standard: -standard, daylight: Daylight(offset: -offset, begins: begins, ends: ends))
    }
}
