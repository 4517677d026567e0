/// A PN532 (firmware 1.6) at a serial port, from the chip's side: bytes in, bytes out, with a time for each. As much of the user
/// manual UM0701-02 as readers of ISO/IEC 14443 type A use. Pure: nobody looks at a clock here.
struct PN532Chip {
    enum Power: Equatable {
        /// After power-up and after PowerDown: so many rising edges on the line were seen. Nothing is understood.
        case asleep(edges: Int)
        /// Woken from the low battery mode of AN10609: the antenna works after SAMConfiguration only. (That others are refused until then is
        /// this chip's strictness; the documents leave it open.)
        case woken
        case normal
    }

    /// What a command comes to.
    enum Reply: Equatable {
        /// What follows the answer's code.
        case answer([UInt8])
        case syntaxError
        /// Later, or never.
        case pending
    }

    /// A phone in ISO-DEP, or a card without.
    struct Target {
        var reader: ISODEPReader?
        /// The part of an answer that did not fit into one frame.
        var rest: [UInt8] = []
        /// The part of a command that came before its end.
        var begun: [UInt8] = []
    }

    /// A search for phones that goes on.
    struct Search {
        let identifier: [UInt8]
        /// nil: without end.
        var triesLeft: Int?
        var next: Int64
    }

    var air: Air
    var registers = PN532Registers()
    var settings = PN532Settings()
    var target: Target?
    var search: Search?
    var misbehaviours: [PN532Misbehaviour] = []
    var power = Power.asleep(edges: 0)
    private(set) var outbox: PN532Outbox
    private var input = PN532FrameReader()
    private let byteNanoseconds: Int64
    /// When the last byte of the host was whole.
    private var lineTime: Int64 = 0
    private var lastAnswer: [UInt8] = []
    /// A command that was acknowledged and is not begun: the host has the ACK before a phone computes.
    private var isBegun = true
    /// When the host had said all of it; its postamble is not waited for.
    private var commandTime: Int64 = 0
    /// The command that runs, with what goes wrong in it.
    private var running: (command: PN532Command, parameters: [UInt8], fault: PN532Fault?)?

    init(timing: PN532Timing = .none) {
        air = Air(isTimed: timing.isAirTimed)
        outbox = PN532Outbox(byteNanoseconds: timing.byteNanoseconds)
        byteNanoseconds = timing.byteNanoseconds
    }

    /// Bytes from the host that began to arrive at that time.
    mutating func receive(_ bytes: [UInt8], at time: Int64) {
        lineTime = max(lineTime, time)
        for byte in bytes {
            lineTime += byteNanoseconds
            guard isAwake(at: byte), let frame = input.read(byte) else { continue }
            handle(frame)
        }
    }

    /// What arrives at the host by that time, in the pieces in which it was said. To be asked again until `nextTime` is later.
    mutating func advance(to time: Int64) -> [[UInt8]] {
        let said = outbox.drain(at: time)
        guard said.isEmpty else { return said }
        if !isBegun, outbox.nextTime == nil { begin() }
        if let search, search.next <= time {
            goOnSearching()
        }
        return outbox.drain(at: time)
    }

    /// When `advance` has something to do; nil: not before the host speaks.
    var nextTime: Int64? {
        [outbox.nextTime ?? (isBegun ? nil : commandTime), search?.next].compactMap(\.self).min()
    }

    /// It works well from now on.
    mutating func behave() {
        misbehaviours = []
        running?.fault = nil
        outbox.endStream()
    }

    /// The reset line was pulled: everything is as after power-up. What is in the field stays there.
    mutating func reset() {
        callOff()
        air.setField(false)
        (registers, settings, target) = (PN532Registers(), PN532Settings(), nil)
        (power, input) = (.asleep(edges: 0), PN532FrameReader())
        outbox = PN532Outbox(byteNanoseconds: byteNanoseconds)
    }

    // The line ----------------------------------------------------------------------------------

    private static let edgesToWake = 5

    /// The fifth rising edge wakes the chip (UM0701-02, 6.3.2.3): the first byte 55, or the fifth byte 00. What wakes it is lost.
    private mutating func isAwake(at byte: UInt8) -> Bool {
        guard case .asleep(let edges) = power else { return true }
        // Least significant bit first, between a start bit (0) and a stop bit (1).
        let line = [false] + (0..<8).map { byte >> $0 & 1 == 1 } + [true]
        let rising = zip(line, line.dropFirst()).count(where: { !$0 && $1 })
        power = edges + rising >= Self.edgesToWake ? .woken : .asleep(edges: edges + rising)
        return false
    }

    private mutating func handle(_ frame: PN532Frame) {
        switch frame {
        // The host calls off what it asked for.
        case .acknowledge: callOff()
        case .notAcknowledge: outbox.add(lastAnswer, from: lineTime, isAnswer: true)
        case .syntaxError: break
        case .information(let information): handle(information)
        }
    }

    private mutating func callOff() {
        search = nil
        running = nil
        isBegun = true
        outbox.callOff()
    }

    private mutating func handle(_ information: [UInt8]) {
        // A new command calls off the one before.
        callOff()
        guard information.first == PN532Frame.toChip, information.count > 1 else { return }
        let command = PN532Command(rawValue: information[1])
        let fault = command.flatMap { nextFault(at: $0) }
        if fault == .silent { return }
        if fault != .noAcknowledge { outbox.add(PN532Frame.acknowledge.encoded, from: lineTime, isAnswer: false) }
        guard let command, !command.needsField || power == .normal else {
            air.time = lineTime
            return send(PN532Frame.syntaxError.encoded)
        }
        let parameters = Array(information.dropFirst(2))
        running = (command, parameters, fault)
        isBegun = false
        commandTime = lineTime
    }

    private mutating func begin() {
        isBegun = true
        guard let (command, parameters, _) = running else { return }
        air.time = commandTime
        finish(run(command, parameters))
    }

    private mutating func nextFault(at command: PN532Command) -> PN532Fault? {
        var met: PN532Fault?
        for index in misbehaviours.indices where met == nil { met = misbehaviours[index].fault(at: command) }
        return met
    }

    /// The command that runs has come to this.
    mutating func finish(_ reply: Reply) {
        guard let (command, asked, fault) = running else { return }
        switch reply {
        case .pending: return
        case .syntaxError: send(PN532Frame.syntaxError.encoded)
        case .answer(let parameters): send(parameters, to: command, asked, fault)
        }
        running = nil
        if command == .powerDown { power = .asleep(edges: 0) }
    }

    private mutating func send(_ parameters: [UInt8], to command: PN532Command, _ asked: [UInt8], _ fault: PN532Fault?) {
        let answer = PN532Frame.information([PN532Frame.fromChip, command.answerCode] + parameters).encoded
        switch fault {
        case nil, .silent, .noAcknowledge: send(answer)
        case .acknowledgeOnly: break
        case .endless(let byte): outbox.streamEndlessly(byte, from: air.time)
        case .trickle(let pause): outbox.trickle(answer, from: air.time, pause: pause)
        case .garbage, .wrongDataChecksum, .wrongLengthChecksum, .syntaxError, .status, .emptyContinuation, .selectLength,
             .identifierLength, .oversized:
            send(fault?.spoil(parameters, of: command, asked) ?? answer)
        }
    }

    private mutating func send(_ answer: [UInt8]) {
        lastAnswer = answer
        outbox.add(answer, from: air.time, isAnswer: true)
    }
}
