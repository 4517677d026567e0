import ReaderProtocol

/// What `ChipReaderMachine` wants done.
enum ChipReaderAction: Hashable {
    /// Connect to the program; it begins anew.
    case connect
    /// End the connection, and with it the program.
    case disconnect
    case send(ReaderOrder)
    /// Pull the chip's reset line.
    case resetLine
    /// Shut the USB port and open it.
    case reauthorise
    /// Hold a presentation. Comes from `advance` alone, and last.
    case serve(ReportedCard)
    case note(ReaderNote)
}
