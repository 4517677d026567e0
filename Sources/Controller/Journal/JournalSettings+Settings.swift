import Configuration
import Storage

extension JournalSettings {
    /// The bounds as the settings say.
    package init(_ settings: AuditSettings) {
        self.init(maximumRecords: settings.maximumRecords, collects: settings.collect == .export, keepsUncollected: settings.onFull == .deny)
    }
}

extension JournalCollectionState {
    /// A word for events.
    package var word: String {
        let isThereRoom = "collected"
        return code ?? isThereRoom
    }

    /// A sentence for people that names the remedy.
    package var sentence: String {
        switch self {
        case .inOrder: "The journal has room for what happens."
        case .due:
            "Nine tenths of the journal have not been collected: take them (tapstile journal --bodies) and say so: tapstile journal ack"
        case .full:
            "The journal is full of records that nobody has collected: take them (tapstile journal --bodies) and say so: tapstile journal ack"
        }
    }
}
