import Encoding

/// Up to where somebody has the records of the main chain.
public enum JournalReceipt: Equatable, Sendable {
    /// Up to the record with this number.
    case through(UInt64)
    /// Up to the record that a signed checkpoint of this gate names: that nobody confuses two gates.
    case checkpoint([UInt8])

    /// The longest checkpoint that is taken, in bytes.
    public static let longestCheckpoint = 1024

    init(json: JSON) throws(ControlError) {
        switch (json["through"], json["checkpoint"]) {
        case (let through?, nil):
            guard let sequence = through.integer, sequence >= 0 else { throw .malformed("`through` is not a record's number.") }
            self = .through(UInt64(sequence))
        case (nil, let checkpoint?):
            guard let text = checkpoint.string, text.utf8.count <= 2 * Self.longestCheckpoint, let bytes = try? Hex.decode(text) else {
                throw .malformed("`checkpoint` is not the bytes of a checkpoint in hexadecimal digits.")
            }
            self = .checkpoint(bytes)
        case (nil, nil), (.some, .some):
            throw .malformed("One of `through` and `checkpoint` is needed.")
        }
    }

    var fields: JSONObject {
        switch self {
        case .through(let sequence): ["do": "journal-collected", "through": .integer(Int64(clamping: sequence))]
        case .checkpoint(let bytes): ["do": "journal-collected", "checkpoint": .string(Hex.encode(bytes))]
        }
    }
}
