@_spi(_Unicode) import Swift

extension String {
    /// The text in Unicode's composed form (NFC; Unicode Standard Annex #15). An accent is one character with its letter or one of its own,
    /// as keyboard and system please: people see no difference, bytes do, and names are compared by their bytes.
    ///
    /// The standard library has the form, for it compares strings by it, and says so to those who ask by name only (`_nfc`). A library that
    /// loses it does not compile here.
    public var composed: String {
        guard mayBeOtherwise else { return self }
        var composed = ""
        composed.unicodeScalars.append(contentsOf: _nfc)
        return composed
    }

    /// Whether the text is in that form.
    public var isComposed: Bool { !mayBeOtherwise || unicodeScalars.elementsEqual(_nfc) }

    /// Every character below U+0300 is composed, whatever stands beside it: such names are most, and there may be a million of them.
    private var mayBeOtherwise: Bool { utf8.contains { $0 >= 0xCC } }
}
