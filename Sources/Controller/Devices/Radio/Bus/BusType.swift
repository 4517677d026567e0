/// The letters by which sd-bus names types (sd-bus-protocol.h).
enum BusType {
    static let byte = letter("y")
    static let bool = letter("b")
    static let int16 = letter("n")
    static let uint16 = letter("q")
    static let int32 = letter("i")
    static let uint32 = letter("u")
    static let int64 = letter("x")
    static let uint64 = letter("t")
    static let double = letter("d")
    static let string = letter("s")
    static let path = letter("o")
    static let signature = letter("g")
    static let array = letter("a")
    static let variant = letter("v")
    static let structure = letter("r")
    static let entry = letter("e")

    private static func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
