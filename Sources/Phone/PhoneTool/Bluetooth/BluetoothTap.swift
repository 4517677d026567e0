import PhoneProtocol
import Threads
import VirtualPhone

/// A phone on a link to a gate, from the first request to the result. It notes what it does, and does wrong what it is told to.
public struct BluetoothTap: ~Copyable {
    private var phone: BluetoothPhone
    private var link: GateLink
    let plan: BluetoothPlan
    private let began = MonotonicTime.microseconds
    private var steps: [BluetoothStep] = []
    private var handle: UInt16?
    /// What the phone has read last: message_3 follows message_2.
    private var lastRead = BluetoothStep.Value.other

    /// Why a phone does not go on.
    enum End: Error {
        /// It goes, as it was told.
        case cut
        case failed(BluetoothError)
    }

    /// - Parameter link: a link that was just made.
    public init(_ phone: consuming BluetoothPhone, on link: any ATTLink, plan: BluetoothPlan) {
        self.phone = phone
        self.link = GateLink(link, mtu: plan.mtu)
        self.plan = plan
    }

    /// Taps, and lets the gate go.
    public mutating func run() -> BluetoothRecord {
        var result: PhoneResult?
        var failure: BluetoothError?
        do throws(End) {
            result = try converse()
            try reached(.outcome)
        } catch {
            if case .failed(let error) = error { failure = error }
        }
        link.close()
        return BluetoothRecord(
            result: result, failure: failure, steps: steps, gate: phone.gate, mtu: link.mtu, handle: handle,
            began: began, linked: MonotonicTime.microseconds - began)
    }

    private mutating func converse() throws(End) -> PhoneResult {
        try reached(.connect)
        let handle = try prepare()
        self.handle = handle
        var step = phone.start()
        if case .write(let message1) = step { try misbehave(at: handle, message1: message1) }
        while true {
            switch step {
            case .write(let value):
                try write(value, to: handle)
                step = phone.wrote()
            case .read:
                step = phone.received(try read(handle))
            case .finish(let result): return result
            }
        }
    }

    /// Agrees on an MTU and finds the characteristic.
    private mutating func prepare() throws(End) -> UInt16 {
        if plan.mtu > ATTLimits.leastMTU { _ = try perform(.exchangeMTU, as: .exchangeMTU) }
        if let known = plan.handle { return known }
        let end = try perform(.find(service: plan.service, characteristic: nil), as: .find)
        guard case .found(let found) = end else { throw .failed(.attribute(.noCharacteristic)) }
        return found
    }

    private mutating func write(_ value: [UInt8], to handle: UInt16) throws(End) {
        let (content, point) = content(of: value)
        try about(point, .write(handle, value: value))
        _ = try perform(.write(handle, value: value), as: .write(content))
        if let point { try reached(point) }
    }

    private mutating func read(_ handle: UInt16) throws(End) -> [UInt8] {
        try about(lastRead == .message2 ? .outcome : .message2, .read(handle))
        guard case .value(let value) = try perform(.read(handle), as: .read(.other)) else { return [] }
        lastRead = switch Frame(parsing: value)?.kind {
        case .message: .message2
        case .error: .error
        case .outcome: .outcome
        case nil: .other
        }
        if !steps.isEmpty { steps[steps.count - 1].kind = .read(lastRead) }
        if lastRead == .message2 { try reached(.message2) }
        return value
    }

    private func content(of value: [UInt8]) -> (BluetoothStep.Value, TapPoint?) {
        switch Frame(parsing: value)?.kind {
        case .message: lastRead == .message2 ? (.message3, .message3) : (.message1, .message1)
        case .error: (.error, nil)
        case .outcome, nil: (.other, nil)
        }
    }

    /// Before a step: waits, or lets the gate go before it has answered.
    private mutating func about(_ point: TapPoint?, _ procedure: ATTProcedure) throws(End) {
        switch plan.misbehaviour {
        case .slow(let milliseconds): try rest(until: MonotonicTime.nanoseconds + Int64(milliseconds) * 1_000_000)
        case .cutAt(let place) where place == point:
            do throws(BluetoothError) { try link.begin(procedure) } catch { throw .failed(error) }
            throw .cut
        case .cutAt, .cutAfter, .silentAfter, .flood, .burst, .long, .offset, .earlyRead, .garbage, .noise, nil: break
        }
    }

    /// After a step: goes, or falls silent.
    private mutating func reached(_ point: TapPoint) throws(End) {
        switch plan.misbehaviour {
        case .cutAfter(point): throw .cut
        case .silentAfter(point):
            try rest(until: plan.deadline)
            throw .failed(.silent)
        case .cutAt, .cutAfter, .silentAfter, .flood, .burst, .long, .offset, .earlyRead, .garbage, .noise, .slow, nil: break
        }
    }

    private mutating func rest(until deadline: Int64) throws(End) {
        do throws(BluetoothError) { try link.rest(until: min(deadline, plan.deadline)) } catch { throw .failed(error) }
    }

    private mutating func perform(_ procedure: ATTProcedure, as kind: BluetoothStep.Kind) throws(End) -> ATTEnd {
        let deadline = plan.deadline
        return try noting(kind) { link, _ throws(BluetoothError) in try link.perform(procedure, until: deadline) }
    }

    /// Does something at the gate and notes it, however it ends.
    mutating func noting<Answer>(
        _ kind: BluetoothStep.Kind, _ body: (inout GateLink, inout BluetoothStep) throws(BluetoothError) -> Answer
    ) throws(End) -> Answer {
        var step = BluetoothStep(kind: kind, began: MonotonicTime.microseconds)
        let (requests, bytes) = (link.requests, link.byteCount)
        let answer: Result<Answer, BluetoothError>
        do throws(BluetoothError) {
            answer = .success(try body(&link, &step))
            step.isDone = true
        } catch {
            if case .attribute(.refused(_, let code)) = error { step.apply(refusal: code) }
            answer = .failure(error)
        }
        step.requests += link.requests - requests
        step.byteCount = link.byteCount - bytes
        step.took = MonotonicTime.microseconds - step.began
        steps.append(step)
        switch answer {
        case .success(let answer): return answer
        case .failure(let error): throw .failed(error)
        }
    }
}
