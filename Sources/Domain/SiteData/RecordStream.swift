import Encoding

/// Takes a CBOR sequence apart as it arrives, with bounded memory: never more than the pieces it is given plus one item.
struct RecordStream: Sendable {
    private var buffer: [UInt8] = []
    /// Bytes of whole items read so far.
    private(set) var offset: UInt64 = 0

    private var people = PeopleRecordReader()

    /// One item of the sequence.
    struct Item {
        let content: Content
        /// Where it begins in the sequence.
        let offset: UInt64
        /// Its bytes.
        let form: ArraySlice<UInt8>
        var length: Int { form.count }

        /// As a tree, whatever it was made into.
        var cbor: CBOR {
            switch content {
            case .other(let cbor): cbor
            case .record(let record): (try? CBOR.decode(Array(form))) ?? .bytes(record.encoded)
            }
        }

        /// As a record.
        func record() throws(PublicationRecord.Fault) -> PublicationRecord {
            switch content {
            case .record(let record): record
            case .other(let cbor): try PublicationRecord(cbor: cbor)
            }
        }
    }

    /// A record of people is made from its bytes at once: there may be a million of them.
    enum Content {
        case record(PublicationRecord)
        case other(CBOR)
    }

    /// The items that a piece completes. What comes before a fault is in order and was there first.
    struct Portion {
        var items: [Item] = []
        var fault: PublicationError?
    }

    /// Whether no item is half read.
    var isBetweenItems: Bool { buffer.isEmpty }

    /// Takes the next bytes, any number of them.
    mutating func read(_ bytes: [UInt8]) -> Portion {
        buffer += bytes
        var reader = CBORReader(buffer)
        var portion = Portion()
        let before = offset
        do throws(PublicationError) {
            while case let start = reader.offset, let content = try next(&reader) {
                portion.items.append(Item(content: content, offset: before + UInt64(start), form: reader.raw(from: start)))
                offset = before + UInt64(reader.offset)
            }
        } catch {
            portion.fault = error
        }
        // Items may still hold the old one.
        buffer = Array(buffer[reader.offset...])
        return portion
    }

    /// The next whole item; nil when more bytes are needed.
    private mutating func next(_ reader: inout CBORReader) throws(PublicationError) -> Content? {
        guard !reader.isAtEnd else { return nil }
        let start = reader.offset
        let item: Content?
        do throws(CBORError) {
            item = if let record = people.next(&reader) { .record(record) } else { .other(try reader.next()) }
        } catch {
            guard error.kind == .truncated else { throw .malformedRecord(offset: offset) }
            item = nil
        }
        let end = item == nil ? buffer.count : reader.offset
        guard end - start <= SitePublication.longestRecord else { throw .recordTooLong(offset: offset) }
        return item
    }
}
