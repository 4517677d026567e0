import AttributeServer
import Credentials
import Cryptography
import PhoneProtocol
import PhoneTool
import VirtualPhone

/// A gate over Bluetooth in the same process: bluetoothd's part is `InProcessGate`, the gate's own `BluetoothGateConversation`.
final class ServedTap {
    private var peripheral: BluetoothGateConversation
    private let enrolled: [EnrolledKey]
    private let outcome: PhoneOutcome
    private(set) var end: ConversationEnd?
    /// Values that were written to it.
    private(set) var written: [[UInt8]] = []

    static let characteristic: [UInt8] = [0x34, 0x12]
    static let table = AttributeTable([
        ([0x00, 0x18], [.init([0x00, 0x2A], properties: 0x02)]),
        (GateService.onTouch.uuid.littleEndian, [.init(characteristic)])
    ])
    static let longestValue = 500

    init(_ gate: TestGate, enrolled: [EnrolledKey] = [], outcome: PhoneOutcome = PhoneOutcome(result: .granted, reason: .granted)) throws {
        peripheral = BluetoothGateConversation(
            offers: [try GateOffer(gateIdentifier: "gate-1", lane: "entry", carrier: .ble, methods: EDHOCMethod.allCases)
                .at(time: 1_738_310_400, cacheGeneration: 3)],
            keys: gate.keys, ephemeral: try EphemeralKey.generateOnBothCurves(), spare: try EphemeralKey.generateOnBothCurves())
        self.enrolled = enrolled
        self.outcome = outcome
    }

    /// The link that a phone gets to it.
    func link(mtu: Int = 517) -> InProcessGate {
        InProcessGate(Self.table, mtu: mtu, onWrite: { [self] value, _ in receive(value) }, onRead: { [self] _ in
            peripheral.read().map { .value($0) } ?? .refused(0x80)
        })
    }

    private func receive(_ value: [UInt8]) -> UInt8? {
        guard value.count <= Self.longestValue else { return 0x0D }
        written.append(value)
        var action = peripheral.write(value)
        while true {
            switch action {
            case .accept, .acceptFinal: return nil
            case .identify(let claim):
                let candidates = claim.presented?.candidates(enrolled: enrolled) ?? []
                switch peripheral.resolve(candidates) {
                case .proved: action = peripheral.outcome(outcome)
                case .refused: action = peripheral.refuse()
                }
            case .finish(let end):
                self.end = end
                return nil
            }
        }
    }
}
