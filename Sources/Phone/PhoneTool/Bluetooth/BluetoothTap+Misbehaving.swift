import Cryptography
import PhoneProtocol
import VirtualPhone

/// What a phone does wrong before it taps as it should: whatever the gate makes of it, it shall serve the phone then, or let it go.
extension BluetoothTap {
    /// Noise is over when the gate has said nothing for so long.
    private static let quietNanoseconds: Int64 = 300_000_000
    /// A PDU of noise fits whatever MTU there is.
    private static let longestNoise = UInt8(ATTLimits.leastMTU)

    mutating func misbehave(at handle: UInt16, message1: [UInt8]) throws(End) {
        switch plan.misbehaviour {
        case .flood(let count): try attempt([ATTProcedure](repeating: .write(handle, value: message1), count: count))
        case .burst(let count):
            try sendUnheard(count) { mtu in ATTRequest.write(handle, value: Array(message1.prefix(mtu - 3))).encoded }
        case .long(let length):
            try attempt([.write(handle, value: [FrameKind.message.rawValue] + RandomBytes.make(length - 1))])
        case .offset(let offset): try attempt([.writePrepared(handle, value: message1, offset: offset)])
        case .earlyRead: try attempt([.read(handle)])
        case .garbage(let length): try attempt([.write(handle, value: RandomBytes.make(length))])
        case .noise(let count):
            try sendUnheard(count) { _ in RandomBytes.make(1 + Int(RandomBytes.make(1)[0] % Self.longestNoise)) }
        case .cutAt, .cutAfter, .silentAfter, .slow, nil: break
        }
    }

    /// Does these one after the other; a refusal is noted and is no end.
    private mutating func attempt(_ procedures: [ATTProcedure]) throws(End) {
        let deadline = plan.deadline
        try noting(.fault) { link, step throws(BluetoothError) in
            for procedure in procedures {
                do throws(BluetoothError) {
                    _ = try link.perform(procedure, until: deadline)
                } catch {
                    guard case .attribute(.refused(_, let code)) = error else { throw error }
                    step.apply(refusal: code)
                }
            }
        }
    }

    private mutating func sendUnheard(_ count: Int, _ make: (_ mtu: Int) -> [UInt8]) throws(End) {
        let deadline = plan.deadline
        try noting(.fault) { link, step throws(BluetoothError) in
            let mtu = link.mtu
            let pdus = (0..<count).map { _ in make(mtu) }
            step.requests = count
            let said = try link.sendUnheard(pdus, quietNanoseconds: Self.quietNanoseconds, until: deadline)
            step.refusals = said.refused
        }
    }
}
