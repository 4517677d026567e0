import CPCSC

/// Everything the watcher has an eye on.
struct ReaderField {
    var readers: [ReaderObservation] = []
    /// PC/SC's reader that is none: it changes when readers come and go.
    var plugging = ReaderObservation(pcscName: "\\\\?PnP?\\Notification")

    /// Takes up new readers and forgets those that are gone.
    mutating func look(at names: [String]) {
        // One place is taken by the plugging notification.
        readers = names.prefix(Int(CPCSC_MOST_READERS) - 1).map { name in
            readers.first { $0.pcscName == name } ?? ReaderObservation(pcscName: name)
        }
    }
}
