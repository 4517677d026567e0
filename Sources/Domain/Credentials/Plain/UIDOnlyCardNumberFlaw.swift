/// Why bytes are no number by which a card could be known.
public enum UIDOnlyCardNumberFlaw: Error, Hashable, Sendable {
    /// No UID has so many bytes.
    case length(Int)
    /// The number is another one each time.
    case random

    /// One English sentence for people; it does not name the number.
    public var message: String {
        switch self {
        case .length(let count): "A card's number has 4, 7 or 10 bytes, this one has \(count)."
        case .random: "A number of 4 bytes that begins with 08 is made up anew each time, as phones do; it names no card."
        }
    }
}
