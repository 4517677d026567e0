import Threads
import VirtualPhone
import Waits

@testable import Readers

/// Two readers (the two slots of the virtual one) with everything that they tell.
final class ReaderBench: Sendable {
    enum Event: Equatable {
        case state(ReaderName, String)
        case began(ReaderName)
        case ended(ReaderName, [Result<[UInt8], LinkError>])
        case note(String)
        case uidOnlyCard(ReaderName, [UInt8])
    }

    /// What a presentation does with its link; it answers with the results worth telling.
    typealias Conversation = @Sendable (ReaderName, any Link) -> (PresentationDisposition, [Result<[UInt8], LinkError>])

    let events = EventLog<Event>()
    let readers: PCSCReaders

    static let twoSlots = twoSlots(stuckAfterMilliseconds: 10_000)

    static func twoSlots(stuckAfterMilliseconds limit: Int64) -> [ReaderBinding] {
        [("entry", "00 00"), ("exit", "00 01")].map { name, slot in
            ReaderBinding(name: name, match: .name("\(PrivatePCSCD.readerName) \(slot)"), stuckAfterMilliseconds: limit)
        }
    }

    init(
        _ bindings: [ReaderBinding] = twoSlots, loops: Loops = Loops(),
        conversation: @escaping Conversation = { _, link in (.done, [ReaderBench.send([0x00, 0xA4], over: link)]) }
    ) {
        let events = self.events
        self.readers = PCSCReaders(
            bindings: bindings, loops: loops,
            onPresentation: { name, link in
                events.record(.began(name))
                let (disposition, results) = conversation(name, link)
                events.record(.ended(name, results))
                return disposition
            },
            onUIDOnlyCard: { name, number in
                events.record(.uidOnlyCard(name, number))
                return .done
            },
            onChange: { events.record(.state($0, $1.code)) },
            onNote: { events.record(.note($1.code)) })
    }

    static func send(_ command: [UInt8], over link: any Link) -> Result<[UInt8], LinkError> {
        Result { () throws(LinkError) in try link.transmit(command) }
    }

    /// A card that answers each command with itself and 90 00.
    static func echo(
        _ port: UInt16, _ misbehaviour: CardMisbehaviour? = nil, heard: EventLog<CardEvent>? = nil
    ) -> VirtualCard {
        VirtualCard(port: port, misbehaviour: misbehaviour, onEvent: { heard?.record($0) }) { $0 + [0x90, 0x00] }
    }

    /// How many presentations there were at that reader.
    func presentations(_ name: ReaderName) -> Int {
        events.all.count { $0 == .began(name) }
    }
}
