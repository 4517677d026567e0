import ReaderProtocol

/// Makes orders of the gate's bytes, and sees to it that they are orders, and in their order: the set-up once, and first.
struct OrderStream {
    private var reader = ReaderFrameReader()
    private var isSetUp = false

    /// The orders that these bytes complete.
    /// - Throws: when the gate does not keep to the protocol. Nothing that follows can be read.
    mutating func orders(in bytes: ArraySlice<UInt8>) throws(WireEnd) -> [ReaderOrder] {
        var orders: [ReaderOrder] = []
        var rest = bytes
        while let frame = try next(&rest) {
            guard case .order(let order) = frame, isTimely(order) else { throw .unexpected }
            orders.append(order)
        }
        return orders
    }

    private mutating func next(_ rest: inout ArraySlice<UInt8>) throws(WireEnd) -> ReaderFrame? {
        do throws(ReaderFrameError) {
            return try reader.next(from: &rest)
        } catch {
            throw .broken(error)
        }
    }

    private mutating func isTimely(_ order: ReaderOrder) -> Bool {
        switch order {
        case .setUp:
            defer { isSetUp = true }
            return !isSetUp
        case .command, .end, .abort, .reopen: return isSetUp
        }
    }
}
