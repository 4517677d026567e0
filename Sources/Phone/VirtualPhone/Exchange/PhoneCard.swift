import PhoneProtocol
import Threads

/// A phone as something that several threads can hold: the virtual card's, and whoever waits for the
/// result.
public final class PhoneCard: Sendable {
    private let phone: Mutex<NFCPhone>
    private let tampering: ResponseTampering?

    /// `tampering` happens to the responses after the phone has given them.
    public init(_ phone: consuming sending NFCPhone, tampering: ResponseTampering? = nil) {
        self.phone = Mutex(phone)
        self.tampering = tampering
    }

    /// One command APDU in, one response APDU out.
    public func receive(_ command: [UInt8]) -> [UInt8] {
        phone.withLock { phone in
            let response = phone.receive(command)
            return tampering?.apply(to: response, response: phone.steps.count) ?? response
        }
    }

    /// The field is gone.
    public func fieldLost() {
        phone.withLock { $0.fieldLost() }
    }

    /// How the last tap ended; nil as long as it has not.
    public var result: PhoneResult? { phone.withLock { $0.result } }

    /// Every command since the phone was last selected.
    public var steps: [PhoneStep] { phone.withLock { $0.steps } }

    /// What the gate said of itself.
    public var gate: GateContext? { phone.withLock { $0.gate } }
}
