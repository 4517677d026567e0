@_spi(_Unicode) import Swift

extension String {
    /// The text without its accents, for comparing what people type; letters that are no other letter with an accent stay.
    var withoutAccents: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var plain = ""
        for scalar in _nfd where scalar.properties.generalCategory != .nonspacingMark { plain.unicodeScalars.append(scalar) }
        return plain
    }
}
