import Encoding

extension TimeZoneData {
    /// The most bytes of a file. The largest of the tz database have less than 4,000.
    public static let largestFile = 65_536

    /// Reads a TZif file of version 1 to 4 (RFC 9636, 3).
    public init(tzif bytes: [UInt8]) throws(TimeZoneDataError) {
        guard bytes.count <= Self.largestFile else { throw .tooLarge }
        var reader = TimeZoneReader(bytes)
        let first = try reader.header()
        guard first.version > 1 else {
            let block = try reader.block(first, timeLength: 4)
            guard reader.isAtEnd else { throw .trailingBytes }
            try self.init(block, footer: nil)
            return
        }
        // The block for readers of version 1 has the same in fewer years.
        try reader.skipBlock(first, timeLength: 4)
        let second = try reader.header()
        guard second.version == first.version else { throw .notZoneData }
        let block = try reader.block(second, timeLength: 8)
        let footer = try reader.footer()
        guard reader.isAtEnd else { throw .trailingBytes }
        try self.init(block, footer: footer)
    }

    private init(_ block: TimeZoneReader.Block, footer: PosixZone?) throws(TimeZoneDataError) {
        var offset = block.offsets[0]
        var first = offset
        var listed: [TimeZoneTransition] = []
        for (position, (at, type)) in zip(block.times, block.types).enumerated() {
            if position > 0, block.times[position - 1] >= at { throw .unordered }
            guard at <= Self.times.upperBound else { continue }
            // From the last change on the footer tells.
            let isLast = position == block.times.count - 1
            let after = (isLast ? footer?.offset(at: Self.clamped(at)) : nil) ?? block.offsets[type]
            if at < Self.times.lowerBound {
                first = after
            } else if after != offset {
                listed.append(TimeZoneTransition(at: at, before: offset, after: after))
            }
            offset = after
        }
        let last = block.times.last ?? Self.times.lowerBound
        // A rule that begins after the end of all times never counts.
        self.init(listed: listed, first: first, footer: last <= Self.times.upperBound ? footer : nil, footerFrom: Self.clamped(last))
    }
}
