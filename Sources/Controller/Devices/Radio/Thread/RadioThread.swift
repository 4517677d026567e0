import CLinux
import Threads

/// The thread of all radios: one connection to the bus, a socket for each adapter whose links are measured, the mailbox. Used by
/// that thread alone. What follows from a message is decided by the pure parts; here it is done.
final class RadioThread {
    static let stackBytes = 1 << 20
    /// Messages that are served before anything else has its turn.
    static let messagesAtOnce = 32

    let settings: RadioThreadSettings
    let client: any RadioClient
    let waiting: RadioWaiting
    let mailbox: RadioMailbox
    let signals: Signals
    private let loop: Loop

    // The bus.
    var bus: BusConnection?
    var busDescriptor: Int32 = -1
    var busEvents: UInt32 = 0
    var busFault: SystemError?
    var reconnect = ReconnectPause()
    var pending = PendingCalls()
    /// The bus must have let us in by then; nil when it has, or there is none.
    var joinBy: Int64?

    // bluetoothd.
    var standing = ServiceStanding.joining
    /// Its unique name: nobody else's messages count.
    var owner: String?
    var objects = BluezObjects()
    /// While it seems up.
    var serviceWatch: ServiceWatch?

    // The radios.
    let shown: [RadioObjects]
    var machines: [RadioMachine]
    var reported: [RadioState?]
    /// Whether each can know the strength of links.
    var watches: [StrengthWatch]
    /// The paths of adapters of which it was told that bluetoothd does not forbid to pair.
    var pairable: Set<String> = []
    /// An adapter that is off is looked at again then: nobody tells when it is no longer blocked.
    var lookAgainAt: Int64?

    // The links.
    var links = LinkTable(nextID: LinkNumber.next)
    var writes = OpenWrites()
    var reads = ReadValues()
    var plan = SamplingPlan()
    /// Of those it was told that bluetoothd does not end them.
    var notDropped: Set<RadioLink> = []
    /// What phones wait for, by number.
    var calls: [UInt64: BusMessage] = [:]
    var lastCall: UInt64 = 0

    init(_ settings: RadioThreadSettings, waiting: RadioWaiting, mailbox: RadioMailbox, loop: Loop) {
        self.settings = settings
        self.client = settings.client
        self.waiting = waiting
        self.mailbox = mailbox
        self.loop = loop
        signals = Signals(ways: settings.ways, waiting: waiting) { [onNote = settings.onNote] in onNote(nil, $0) }
        shown = settings.bindings.enumerated().map { RadioObjects(binding: $0.element, number: $0.offset) }
        machines = settings.bindings.map { _ in RadioMachine(settlingMilliseconds: settings.settlingMilliseconds) }
        watches = settings.bindings.map { _ in StrengthWatch() }
        reported = settings.bindings.map { _ in nil }
    }

    var now: Int64 { MonotonicTime.milliseconds }

    /// Serves until the mailbox says stop.
    func run() {
        mailbox.wakes()
        connect()
        look()
        while openLetters() == .goOn {
            prepareBus()
            let ready = waiting.wait(loop, milliseconds: patience)
            mailbox.wakes()
            if ready.contains(mailbox.bell.raw) { _ = clinux_eventfd_clear(mailbox.bell.raw) }
            guard serveBus() == .goOn else { break }
            for descriptor in ready { receiveSignals(descriptor) }
            advance()
        }
        end()
    }

    enum Verdict { case goOn, stop }

    /// Does what was left, also what the client leaves meanwhile, and what lies behind the word to stop: phones may be owed it.
    func openLetters() -> Verdict {
        var verdict = Verdict.goOn
        while true {
            let letters = mailbox.empty()
            if letters.isEmpty { return verdict }
            for letter in letters where open(letter) == .stop { verdict = .stop }
        }
    }

    private func open(_ letter: RadioMailbox.Letter) -> Verdict {
        switch letter {
        case .answer(let call, let verdict): answer(call, verdict)
        case .measure(let link, let milliseconds): measure(link, milliseconds)
        case .stopMeasuring(let link):
            stopMeasuring(link)
            publish()
        case .drop(let link): drop(link)
        case .run(let work): work.body()
        case .stop: return .stop
        }
        return .goOn
    }

    /// Milliseconds until something is due without anybody's doing; -1 for never.
    private var patience: Int32 {
        let times = machines.map(\.nextChange)
            + [bus?.deadline, reconnect.next, joinBy, plan.next, client.nextDue(), lookAgainAt, standing.nextLook(after: now),
               serviceWatch?.next(after: now)]
        guard let next = times.compactMap({ $0 }).min() else { return -1 }
        return Int32(clamping: max(0, next - now))
    }

    private func advance() {
        let now = now
        if let time = reconnect.next, now >= time { connect() }
        if let time = joinBy, now >= time { giveUpJoining() }
        if case .refused(let failure, let time) = standing, now >= time { askForObjects(since: now, refusal: failure) }
        watchService(now)
        for index in machines.indices { perform(machines[index].advance(to: now), radio: index) }
        askForSignals(now)
        if let due = client.nextDue(), now >= due { client.isDue(at: now) }
        look()
    }

    /// The bus may take so long for our last words.
    private static let lastWordsMilliseconds: Int64 = 200

    /// The thread ends: phones are told what they are owed and hung up on, the client that they have gone.
    private func end() {
        let open = links.entries.values.sorted { $0.link.id < $1.link.id }
        objects = BluezObjects()
        compareLinks([])
        _ = openLetters()
        for entry in open { hangUp(entry) }
        bus?.flush(milliseconds: Self.lastWordsMilliseconds)
        signals.close()
        leaveBus()
    }

    func note(_ radio: String?, _ code: String, _ message: String) {
        settings.onNote(radio, RadioNote(code: code, message: message))
    }
}

/// What the radios' thread works with.
struct RadioThreadSettings: Sendable {
    let bindings: [RadioBinding]
    let bus: Radios.Bus
    let client: any RadioClient
    let onNote: Radios.OnNote
    /// Where the kernel shows adapters.
    var adapterFolder = "/sys/class/bluetooth"
    var settlingMilliseconds: Int64 = 3_000
    var patience = RadioPatience()
    /// The ways to ask an adapter, the better one first.
    var ways: [any SignalWay] = [HCIWay(), ManagementWay()]
}
