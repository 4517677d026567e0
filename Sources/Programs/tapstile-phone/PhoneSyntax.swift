import CommandLineOptions
import Credentials
import PhoneProtocol
import PhoneTool
import VirtualPhone

/// The commands of this program.
enum PhoneSyntax {
    static let program = ProgramSyntax(
        "tapstile-phone", "The virtual phone, for pcscd's virtual reader (vsmartcard-vpcd) and over Bluetooth.",
        commands: [key, tap, scan, reader, redeem, renew, list, delete])

    private static let key = CommandSyntax(
        PhoneVerb.key.rawValue, "Makes a phone's key.",
        options: [.value("out", "FILE", "where the private key goes; the public one goes beside it (.pub)"),
                  .flag("agree", "a key that agrees (method 3) instead of one that signs (method 0)"),
                  .value("format", PhoneKeyForm.allCases.map(\.rawValue).joined(separator: "|"), "how the public key is written (default: tapstile)"),
                  .flag("json", "say what was made as one JSON object")])

    private static let tap = CommandSyntax(
        PhoneVerb.tap.rawValue, "Presents the phone until the gate has told the result.",
        options: [
            .value("key", "FILE", "the phone's private key"),
            .value("gates", "FILE", "gates.phone of the authority: the gates to talk to"),
            .value("token", "FILE", "present this token; beside --ccs or --enrolled-kid: together with it"),
            .flag("by-reference", "present the token by its identifier first"),
            .value("ccs", "FILE", "present this claims set"),
            .value("enrolled-kid", "FILE", "present this claims set by its key identifier first"),
            .value("site", "NAME", "present what the wallet has of this site, in the place of --key, --gates and --token"),
            .value("access", "NAME", "present this access of the wallet"),
            keys,
            .value("also", "FILES", isRepeatable: true, "what another site gave the phone: \(MembershipFiles.form)"),
            .flag("any-key", "present the credential even if it names another key"),
            .value("method", "0-3", "EDHOC method (default: 0 for a key that signs, 3 for one that agrees)"),
            .value("suite", "LIST", "EDHOC cipher suites out of 0 to 6, the preferred first, such as 6,5,2 (default: 2)"),
            .value("command", "NAME", "the command to run (default: tokn)"),
            .flag("manual", "a person asked for it, in the app"),
            .flag("foreground", "the app is in front"),
            .flag("background", "the app is not in front (the default)"),
            .flag("unlocked", "the phone's screen is unlocked"),
            .flag("no-nfc", "the phone says that it cannot do NFC"),
            .value("language", "TAG", "the person's language (default: en)"),
            .value("carrier", "nfc|ble", "the carrier that the phone says it sees (default: the true one)"),
            .value("lane", "NAME", "the lane to speak of (default: the one that the gate names)"),
            .value("lane-request", "LANE", "the lane to ask for, where a radio serves several"),
            .value("clock", "TIME", "the phone's own time, RFC 3339 (default: this machine's)"),
            .value("connection-id", "HEX", "C_I, up to 16 bytes (default: 00)"),
            .value("ead-1", "ITEM", isRepeatable: true, "one more item in message_1: \(EADItem.textForm), ! makes it critical"),
            .value("ead-3", "ITEM", isRepeatable: true, "one more item in message_3"),
            .value("port", "PORT", "where the virtual reader listens (default: \(VirtualCard.defaultPort))"),
            .value("slot", "1-8", "which slot of the virtual reader (default: 1)"),
            .flag("ble", "over Bluetooth instead of at the virtual reader"),
            .value("adapter", AdapterName.form, "the Bluetooth adapter to use (default: the first that is on)"),
            .value("address", BluetoothAddress.form, "the gate to connect to (default: the first that is found)"),
            .flag("classic", "search for gates in classic mode"),
            .value("service", "UUID", "search for gates with this service"),
            .value("mtu", "23-517", "the MTU to ask for; 23 asks for none (default: 517)"),
            .value("handle", "HANDLE", "the handle of the gate's value, which is then not searched for"),
            .flag("hold", "stay until the gate opens or the program is stopped; one report for each result"),
            .value("times", "COUNT", "present it so many times, one report each (default: 1)"),
            .value("gap-ms", "MS", "how long it is away in between (default: 800)"),
            .value("timeout", "MS", "give up after so long (default: 10000; with --hold: never)"),
            .value("misbehave", "FAULT", "do something wrong, see below"),
            .flag("json", "one JSON object for each result")
        ],
        details: details)

    private static let scan = CommandSyntax(
        PhoneVerb.scan.rawValue, "Tells which gates are heard over Bluetooth.",
        options: [.value("adapter", AdapterName.form, "the Bluetooth adapter to use (default: the first that is on)"),
                  .flag("classic", "search for gates in classic mode"),
                  .value("service", "UUID", "search for gates with this service"),
                  .value("time", "MS", "search so long (default: 3000)"),
                  .flag("json", "one JSON object for each gate")])

    private static let reader = CommandSyntax(
        PhoneVerb.reader.rawValue, "Plays a PN532 at a serial port, until it is stopped; tap puts phones onto it.",
        options: [.value("link", "FILE", "the symbolic link by which programs find the port"),
                  .value("port", "PORT", "where tap finds it (default: any free one, which is told)"),
                  .value("uid", "HEX", "what phones and cards call themselves at the air interface"),
                  .flag("plain", "cards that have a number and nothing else"),
                  .value("express", "TCI", "phones in express mode, which answer readers that name it"),
                  .flag("byte-times", "bytes take their true time on the wire and on the air"),
                  .value("time-scale", "FACTOR", "the chip's clock goes so many times as fast (default: 1)"),
                  .flag("air", "tell each frame on the air")],
        details: "It reads orders from the standard input, one in each line, and says when they are done:\n" + list(ChipOrder.forms)
            + "\n\nFaults:\n" + list(ChipFault.forms)
            + "\n\nCommands: " + ChipFault.commands.map(\.name).joined(separator: ", "))

    private static let redeem = CommandSyntax(
        PhoneVerb.redeem.rawValue, "Redeems the link of an invitation and keeps what it gives in the wallet.",
        operands: [OperandSyntax("LINK", isOptional: true, "the link, in quotation marks; - reads it from the standard input, where no other user sees it")],
        options: [keys,
                  .value("key", "FILE", "use this private key of a phone, which is copied (default: a fresh one)"),
                  .value("access", "NAME", "go on with the link that this access has kept, in the place of LINK"),
                  ca, .flag("json", "say what was received as one JSON object")])

    private static let renew = CommandSyntax(
        PhoneVerb.renew.rawValue, "Gets new tokens for what the wallet has, once a third of their life is left.",
        options: [keys,
                  .value("site", "NAME", "what the wallet has of this site"),
                  .value("access", "NAME", "this access of the wallet"),
                  .flag("all", "everything in the wallet"),
                  .flag("now", "whether it is due or not"),
                  ca, .flag("json", "one JSON object for each access")])

    private static let list = CommandSyntax(
        PhoneVerb.list.rawValue, "Shows what the wallet has.", options: [keys, .flag("json", "one JSON object for each access")])

    private static let delete = CommandSyntax(
        PhoneVerb.delete.rawValue, "Takes something out of the wallet, with its key.",
        options: [keys,
                  .value("site", "NAME", "all that the wallet has of this site"),
                  .value("access", "NAME", "this access of the wallet"),
                  .flag("json", "one JSON object for each access")])

    private static let keys = OptionSyntax.value(
        "keys", "DIR", "the wallet's folder (default: $XDG_DATA_HOME/tapstile-phone, or ~/.local/share/tapstile-phone)")
    private static let ca = OptionSyntax.value("ca", "FILE", "the only authorities to believe about the server, as PEM (default: this machine's)")

    private static var details: String {
        "Exit status: 0 granted, 3 refused, 4 no result, 1 error, 2 usage.\n\n"
            + "Faults for --misbehave; commands count from 1 (SELECT) since the phone came onto the reader:\n"
            + list(Misbehaviour.forms)
            + "\n\nFaults for --misbehave with --ble; after what it does first the phone taps as it should:\n"
            + list(BluetoothMisbehaviour.forms)
    }

    private static func list(_ forms: [(form: String, meaning: String)]) -> String {
        let width = forms.map(\.form.count).max() ?? 0
        return forms.map { form, meaning in
            "  \(form)\(String(repeating: " ", count: width - form.count))  \(meaning)"
        }.joined(separator: "\n")
    }
}

/// What this program can do; the raw values are the names of its commands.
enum PhoneVerb: String, CaseIterable {
    case key
    case tap
    case scan
    case reader
    case redeem
    case renew
    case list
    case delete
}
