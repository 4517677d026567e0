import ControlProtocol

/// Makes orders of the other side's bytes, and sees to it that they are orders: the set-up once, and first.
struct FetchOrderStream {
    private var reader = FetchFrameReader()
    private var isSetUp = false

    /// The next order in `bytes`, which it takes from their front; nil when more are needed.
    /// - Throws: when the other side does not keep to the protocol. Nothing that follows can be read.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(FetchEnd) -> FetchOrder? {
        let frame: FetchFrame?
        do throws(FetchFrameError) {
            frame = try reader.next(from: &bytes)
        } catch {
            throw .broken(error)
        }
        guard let frame else { return nil }
        guard case .order(let order) = frame, isTimely(order) else { throw .unexpected }
        return order
    }

    private mutating func isTimely(_ order: FetchOrder) -> Bool {
        switch order {
        case .setUp:
            defer { isSetUp = true }
            return !isSetUp
        case .fetch, .cancel: return isSetUp
        }
    }
}
