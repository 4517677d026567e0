import CPCSC
import Glibc
import Threads

/// A connection to pcscd. While a call waits, the context is locked by the library: each thread
/// has one of its own. Only one thread of the process may use `listReaders` and `waitForChange`:
/// both write to one table inside libpcsclite 1.9.9, unlocked.
final class PCSCContext: Sendable {
    private let handle: SCARDCONTEXT

    init() throws(PCSCError) {
        var handle: SCARDCONTEXT = 0
        try PCSCError.check(Loop.outside(.pcsc) { SCardEstablishContext(UInt(SCARD_SCOPE_SYSTEM), nil, nil, &handle) })
        self.handle = handle
    }

    deinit {
        _ = Loop.outside(.pcsc) { SCardReleaseContext(handle) }
    }

    /// The names of all readers; empty when there is none.
    func listReaders() throws(PCSCError) -> [String] {
        // Asked anew when a reader came between the two calls.
        for _ in 0..<4 {
            var length: DWORD = 0
            let asked = Loop.outside(.pcsc) { SCardListReaders(handle, nil, nil, &length) }
            if PCSCError.isNoReaders(asked) { return [] }
            try PCSCError.check(asked)
            var names = [CChar](repeating: 0, count: Int(length))
            let listed = Loop.outside(.pcsc) { SCardListReaders(handle, nil, &names, &length) }
            if PCSCError.isNoReaders(listed) { return [] }
            if PCSCError.isInsufficientBuffer(listed) { continue }
            try PCSCError.check(listed)
            return Self.split(names.prefix(Int(length)))
        }
        return []
    }

    /// Waits until one of the readers, or their list, has changed; at most for the given time, which is no error.
    /// The observations are fed back with the next call, so that nothing is lost in between.
    func waitForChange(in field: inout ReaderField, milliseconds: UInt) throws(PCSCError) {
        let observations = field.readers + [field.plugging]
        let names = observations.map { strdup($0.pcscName) }
        defer { names.forEach { free($0) } }
        var states = zip(names, observations).map { name, observation in
            var entry = SCARD_READERSTATE()
            entry.szReader = UnsafePointer(name)
            entry.dwCurrentState = observation.state
            return entry
        }
        let result = Loop.outside(.pcsc) { SCardGetStatusChange(handle, milliseconds, &states, UInt(states.count)) }
        // pcsc-lite 2.3 counts pluggings there, before it begins to wait.
        if let plugging = states.last { field.plugging.update(plugging.dwEventState) }
        // What it was when the time was over: a reader whose count is still 0 is not compared by its count.
        if !PCSCError.isTimeout(result) { try PCSCError.check(result) }
        for index in field.readers.indices {
            field.readers[index].update(states[index].dwEventState, answerToReset: states[index].answerToReset)
        }
    }

    /// Wakes the thread that is in `waitForChange`. Without effect when none is: who needs to be
    /// sure repeats it.
    func cancel() {
        _ = SCardCancel(handle)
    }

    /// A connection to the card that nobody else can share. Phones speak T=1; a card that offers
    /// only T=0 is taken too, so that it gets its refusal.
    func connectExclusively(_ pcscName: String) throws(PCSCError) -> PCSCCard {
        do {
            return try connect(pcscName, UInt(SCARD_SHARE_EXCLUSIVE), UInt(SCARD_PROTOCOL_T1))
        } catch where error.isProtocolMismatch {
            return try connect(
                pcscName, UInt(SCARD_SHARE_EXCLUSIVE), UInt(SCARD_PROTOCOL_T0) | UInt(SCARD_PROTOCOL_T1))
        }
    }

    /// Starts the card in the reader anew, whatever pcscd believes of it: afterwards pcscd knows whether there is one.
    /// Through the reader itself, because pcscd may be wrong in believing that there is none (`ReaderObservation`).
    func startAnew(_ pcscName: String) throws(PCSCError) {
        try connectDirectly(pcscName).disconnect(.reset)
    }

    /// A connection to the reader itself, card or not.
    func connectDirectly(_ pcscName: String) throws(PCSCError) -> PCSCCard {
        try connect(pcscName, UInt(SCARD_SHARE_DIRECT), 0)
    }

    private func connect(_ pcscName: String, _ sharing: DWORD, _ protocols: DWORD) throws(PCSCError) -> PCSCCard {
        var card: SCARDHANDLE = 0
        var active: DWORD = 0
        try PCSCError.check(Loop.outside(.pcsc) { SCardConnect(handle, pcscName, sharing, protocols, &card, &active) })
        return PCSCCard(handle: card, activeProtocol: UInt32(truncatingIfNeeded: active))
    }

    /// Names one after the other, each closed by a zero, and one more zero at the end.
    private static func split(_ names: ArraySlice<CChar>) -> [String] {
        names.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }
}

extension SCARD_READERSTATE {
    /// The ATR of the card that is there, empty where there is none.
    fileprivate var answerToReset: [UInt8] {
        withUnsafeBytes(of: rgbAtr) { Array($0.prefix(Int(clamping: cbAtr))) }
    }
}
