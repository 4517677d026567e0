import Encoding

/// Takes a CBOR sequence apart as it arrives, with bounded memory: never more than the pieces it is given plus one item.
struct RecordStream: Sendable {
    private var buffer: [UInt8] = []
    /// Bytes of whole items read so far.
    private(set) var offset: UInt64 = 0

    /// One item of the sequence.
    struct Item {
        let cbor: CBOR
        /// Where it begins in the sequence, and how many bytes it has.
        let offset: UInt64
        let length: Int
    }

    /// The items that a piece completes. What comes before a fault is in order and was there first.
    struct Portion {
        var items: [Item] = []
        var fault: PublicationError?
    }

    /// Whether no item is half read.
    var isBetweenItems: Bool { buffer.isEmpty }

    /// Takes the next bytes, any number of them.
    mutating func take(_ bytes: [UInt8]) -> Portion {
        buffer += bytes
        var reader = CBORReader(buffer)
        var portion = Portion()
        let before = offset
        do throws(PublicationError) {
            while case let start = reader.offset, let cbor = try next(&reader) {
                portion.items.append(Item(cbor: cbor, offset: before + UInt64(start), length: reader.offset - start))
                offset = before + UInt64(reader.offset)
            }
        } catch {
            portion.fault = error
        }
        buffer.removeFirst(reader.offset)
        return portion
    }

    /// The next whole item; nil when more bytes are needed.
    private func next(_ reader: inout CBORReader) throws(PublicationError) -> CBOR? {
        guard !reader.isAtEnd else { return nil }
        let start = reader.offset
        let item: CBOR?
        do throws(CBORError) {
            item = try reader.next()
        } catch {
            guard error.kind == .truncated else { throw .malformedRecord(offset: offset) }
            item = nil
        }
        let end = item == nil ? buffer.count : reader.offset
        guard end - start <= SitePublication.longestRecord else { throw .recordTooLong(offset: offset) }
        return item
    }
}
