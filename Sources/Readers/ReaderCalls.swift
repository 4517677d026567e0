/// Whom the threads of readers call, of every kind.
struct ReaderCalls: Sendable {
    let onPresentation: GateReaders.OnPresentation
    let onPlainCard: GateReaders.OnPlainCard
    let onChange: GateReaders.OnChange
    let onNote: GateReaders.OnNote
}
