import Encoding
import PhoneProtocol

extension EADItem {
    /// The form in which an item can be written on a command line.
    public static let textForm = "LABEL[!][:HEX]"

    /// Reads `textForm`: a label up to 65535, `!` for a critical item, the content of its value. nil for anything else,
    /// critical padding included.
    public init?(text: String) {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isCritical = halves[0].hasSuffix("!")
        guard let label = Int(isCritical ? String(halves[0].dropLast()) : halves[0]), (0...65535).contains(label),
              label != Self.paddingLabel || !isCritical else { return nil }
        guard halves.count == 2 else {
            self.init(label: label, isCritical: isCritical, value: nil)
            return
        }
        guard let value = try? Hex.decode(halves[1]) else { return nil }
        self.init(label: label, isCritical: isCritical, value: value)
    }
}
