/// Whom the threads of readers call, of every kind.
struct ReaderCalls: Sendable {
    let onPresentation: GateReaders.OnPresentation
    let onUIDOnlyCard: GateReaders.OnUIDOnlyCard
    let onChange: GateReaders.OnChange
    let onNote: GateReaders.OnNote
}
