import ReaderProtocol

@testable import ChipReaders

/// Plays the chip and the clock for a `PollingLoop`: waits take the time that they say, steps as long as they are told to.
struct LoopPlayer {
    var loop: PollingLoop
    var now: Int64 = 1_000
    /// Everything that was done, waits aside, with its time.
    private(set) var done: [(time: Int64, step: PollingStep)] = []
    private(set) var reports: [ReaderReport] = []
    /// Who lies in the field.
    var card: FoundCard?
    /// What a command comes to.
    var reply = PhoneReply.answer([0x90, 0x00])
    /// That step goes wrong so.
    var fault: (step: PollingStep, error: ChipError)?
    var milliseconds: (PollingStep) -> Int64 = { _ in 0 }

    static let wakeUp: [UInt8] = [0x6A, 0x02, 0xC3, 0x02, 0x06, 0x20, 0x42, 0x20]
    static let phone = FoundCard(answerToRequest: 0x0004, selectAcknowledge: 0x20, identifier: [8, 1, 2, 3], answerToSelect: [0x78, 0x80, 0x70, 0x02])
    static let plain = FoundCard(answerToRequest: 0x0044, selectAcknowledge: 0x08, identifier: [4, 1, 2, 3, 4, 5, 6], answerToSelect: [])

    static func setup(
        wakeUp: [UInt8] = LoopPlayer.wakeUp, bitRate: ReaderBitRate = .kilobits106, plain: Bool = false, cycle: UInt16 = 200
    ) throws -> ReaderSetup {
        try ReaderSetup(
            device: "pn532_uart:/dev/null", wakeUpFrame: wakeUp, cycleMilliseconds: cycle, exchangeMilliseconds: 1_600, bitRate: bitRate,
            reportsUIDOnlyCards: plain)
    }

    /// One whose chip is being opened.
    init(_ setup: ReaderSetup) {
        loop = PollingLoop(setup)
        reports = loop.open(at: now)
    }

    init() throws { self.init(try Self.setup()) }

    /// Until that time.
    mutating func play(until end: Int64) {
        while true {
            let step = loop.next(at: now)
            guard case .wait(let time) = step else {
                perform(step)
                continue
            }
            guard let time, time <= end else {
                now = max(now, end)
                return
            }
            now = time
        }
    }

    mutating func play(for milliseconds: Int64) { play(until: now + milliseconds) }

    private mutating func perform(_ step: PollingStep) {
        done.append((now, step))
        now += milliseconds(step)
        reports += loop.handle(result(of: step), of: step, at: now)
    }

    private func result(of step: PollingStep) -> PollingResult {
        if let fault, fault.step == step { return .failed(fault.error) }
        switch step {
        case .wait, .field, .patience, .wholeFrames, .announce, .agree: return .done
        case .open: return .opened(ChipFirmware("PN532 v1.6"))
        case .find: return .found(card)
        case .exchange: return .replied(reply)
        case .ask: return .isThere(card != nil)
        }
    }

    mutating func send(_ order: ReaderOrder) {
        reports += loop.receive(order, at: now)
    }

    mutating func command(_ presentation: UInt32, _ apdu: [UInt8] = [0x00, 0xA4, 0x04, 0x00]) throws {
        send(.command(try ReaderCommand(presentation: presentation, apdu: apdu)))
        play(until: now)
    }

    /// What was done and reported since this was asked last.
    mutating func drainSteps() -> [PollingStep] {
        defer { done = [] }
        return done.map(\.step)
    }

    mutating func drainReports() -> [ReaderReport] {
        defer { reports = [] }
        return reports
    }

    /// The number of the card that alone was reported.
    mutating func removeCard() -> UInt32? {
        let reports = drainReports()
        guard reports.count == 1, case .card(let card) = reports[0] else { return nil }
        return card.presentation
    }

    /// With a phone in its field, and the gate told of it.
    static func serving(_ setup: ReaderSetup? = nil, _ card: FoundCard = LoopPlayer.phone) throws -> LoopPlayer {
        var player = LoopPlayer(try setup ?? Self.setup())
        player.card = card
        player.play(for: 100)
        _ = (player.drainSteps(), player.drainReports())
        return player
    }
}
