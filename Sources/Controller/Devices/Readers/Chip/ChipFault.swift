import ReaderProtocol

/// What is wrong with a PN532, or with the program that drives it.
enum ChipFault: Hashable, Sendable {
    /// Nobody listens at its socket; why.
    case programAbsent(String)
    /// It has ended the connection.
    case programDied
    /// It gives no sign of life.
    case programSilent
    /// It says what it has no right to say; what.
    case programLied(String)
    /// It says more than it can have to say.
    case programBabbles
    /// It could not open the chip.
    case notOpened(ChipFailure)
    /// The chip does not come to an end with what it was told.
    case chipSilent
    /// The chip has failed several times in a row.
    case chipFails

    var need: RecoveryLadder.Need {
        switch self {
        case .programAbsent, .programDied, .programSilent, .programLied, .programBabbles: .program
        case .chipSilent, .chipFails: .chip
        case .notOpened(let failure):
            switch failure {
            case .portAbsent, .portDenied, .portHeld, .deviceUnknown: .port
            case .portBroken, .chipSilent, .chipBabbles: .closedChip
            }
        }
    }

    /// Stable, for operators to search for.
    var code: String {
        switch self {
        case .programAbsent: "nfc-helper-absent"
        case .programDied: "nfc-helper-died"
        case .programSilent: "nfc-helper-silent"
        case .programLied: "nfc-protocol"
        case .programBabbles: "nfc-helper-babbles"
        case .notOpened(.portAbsent): "nfc-port-absent"
        case .notOpened(.portDenied): "nfc-port-denied"
        case .notOpened(.portHeld): "nfc-port-held"
        case .notOpened(.portBroken): "nfc-port-broken"
        case .notOpened(.deviceUnknown): "nfc-device-unknown"
        case .notOpened(.chipSilent), .chipSilent: "nfc-chip-silent"
        case .notOpened(.chipBabbles): "nfc-chip-babbles"
        case .chipFails: "nfc-chip-fails"
        }
    }

    /// A sentence for the installer, with the remedy where there is one (T13).
    var message: String {
        switch self {
        case .programAbsent(let why):
            "Nobody listens for this reader (\(why)). `sudo systemctl enable --now tapstile-nfc@NAME.socket` fixes it, NAME being the reader's."
        case .programDied: "The program that drives the chip has ended."
        case .programSilent: "The program that drives the chip gives no sign of life."
        case .programLied(let what): "The program that drives the chip does not keep to the protocol. \(what)"
        case .programBabbles: "The program that drives the chip says more than it can have to say."
        case .notOpened(.portAbsent): "The chip's device is not there. Is it plugged in, and is `device` its name?"
        case .notOpened(.portDenied): "The program that drives the chip may not use its device. It must belong to the group of its bus."
        case .notOpened(.portHeld): "Another program uses the chip's device. Stop it."
        case .notOpened(.portBroken): "The chip's device is there and does not work. Look at its cable and power."
        case .notOpened(.deviceUnknown): "libnfc knows no such device. Look at `bus` and `device`."
        case .notOpened(.chipSilent), .chipSilent: "The chip does not answer. Look at its wires, its power and the switches for its bus."
        case .notOpened(.chipBabbles): "What answers is no PN532, or one that has lost its mind. Look at its wires, its power and its speed."
        case .chipFails: "The chip fails again and again. Look at its power."
        }
    }
}

extension LinkFault {
    init(_ fault: ChipFault) {
        self.init(code: fault.code, message: fault.message)
    }
}

extension LinkError {
    /// What a fault of the chip is to a conversation that it breaks off.
    init(_ fault: ChipFault) {
        self = switch fault.need {
        case .chip, .closedChip: .failed(LinkFault(fault))
        case .port: .readerGone(LinkFault(fault))
        case .program: .serviceGone(LinkFault(fault))
        }
    }
}
