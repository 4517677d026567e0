import Vocabulary

extension Schema {
    private static let match = SettingTable(
        "match", .optional,
        "How a PC/SC reader is found, needed for one: exactly one of `name`, `serial`, `port`. Never by index.", settings: [
            Setting("name", .text(maximum: 128), .optional,
                    "The name PC/SC shows, whole or without the two numbers at its end."),
            Setting("serial", .text(maximum: 128), .optional, "The device's serial number."),
            Setting("port", .text(maximum: 64), .optional,
                    "Where it is plugged in: the USB path (`1-1.2`) or the PC/SC channel (`00010002`)."),
            Setting("name-contains", .text(maximum: 128), .optional,
                    "Picks one of the readers of a device with several slots: part of its PC/SC name (`PICC`).")
        ], change: .restart)

    private static let chip = SettingTable(
        "chip", .optional, "Where a PN532 is and how it is used, needed for one (docs/readers.md).", settings: [
            Setting("bus", .choice(ChipBus.allCases.map(\.rawValue)), .required,
                    "What it hangs on: `uart` (also a serial adapter on USB), `spi`, `i2c`."),
            Setting("device", .path(maximum: 160), .required,
                    "A name of its port that stays: `/dev/serial/by-path/…`, `/dev/tapstile/pn532-1-1.2`, `/dev/ttyAMA0`, `/dev/spidev0.0`. "
                        + "Never `/dev/ttyUSB0`, which changes."),
            Setting("speed", .integer(9600...5_000_000), .optional,
                    "Baud on a UART, where it is 115200 unless somebody changed the chip; Hz on SPI, where it is 1000000; I²C has none."),
            Setting("ecp-tci", .hex(bytes: [0, 3]), .standard(.text("")),
                    "What wakes phones in express mode: the terminal's identifier, from whoever issued the passes; empty: no such frame is sent, "
                        + "and no phone is woken."),
            Setting("ecp-group", .hex(bytes: [8]), .optional, "The reader's group, from the same; without it none is named."),
            Setting("cycle-ms", .integer(50...250), .standard(.integer(200)), "From one look for phones to the next."),
            Setting("exchange-ms", .integer(100...3300), .standard(.integer(1600)),
                    "How long a phone may take for one answer; the chip knows powers of two of 0.1 ms only."),
            Setting("bit-rate", .number([106, 212, 424]), .standard(.integer(106)),
                    "The highest bit rate that is agreed upon with a phone, in kbit/s."),
            Setting("socket", .path(maximum: 100), .named(before: "/run/tapstile-nfc/", after: ".sock"),
                    "The socket of the program that drives it; that of its unit has the reader's name.")
        ])

    private static let reset = SettingTable(
        "reset", .single, "What there is to bring a reader back that does not answer.", settings: [
            Setting("chip", .text(maximum: 128), .optional,
                    "The GPIO chip of the line that a PN532's reset pin is wired to: its name, path or label; `simulated` pulls nothing.", change: .restart),
            Setting("line", .line, .optional, "The line on the chip: its number or its name.", change: .restart),
            Setting("active", .choice(ActiveLevel.allCases.map(\.rawValue)), .standard(.text("low")),
                    "The voltage that switches the reader off: `low` where the pin itself is wired.", only: .beside("chip"), change: .restart),
            Setting("usb", .flag, .standard(.flag(false)),
                    "Whether its USB port may be switched off and on: of a PN532 on a serial adapter, or of a PC/SC reader that is bound by `port`.",
                    change: .restartIfType(ReaderType.pcsc.rawValue))
        ])

    static let reader = SettingTable("reader", .list(minimum: 0), "One reader, bound to a lane. Repeat it for every reader.", settings: [
        Setting("name", .identifier(maximum: 32), .required, "Our own name for it, in status and journal."),
        Setting("lane", .identifier(maximum: 32), .required, "The name of the lane it serves.", change: .restart),
        Setting("direction", .choice(Direction.allCases.map(\.rawValue)), .standard(.text("in")),
                "Which way it lets people pass: `in` or `out`."),
        Setting("type", .choice(ReaderType.allCases.map(\.rawValue)), .standard(.text("pcsc")),
                "What drives it: `pcsc`, which is pcscd with any CCID reader, or `pn532`, a chip on a serial port, SPI or I²C.", change: .restart),
        Setting("presentation-deadline-ms", .integer(200...10_000), .standard(.integer(1500)),
                "A presentation that takes longer is closed as `timeout`."),
        Setting("stuck-after-ms", .integer(2000...120_000), .standard(.integer(10_000)),
                "A PC/SC reader that does not come back for this long is a reader fault; a PN532 is found out within 2 s.",
                change: .restartIfType(ReaderType.pcsc.rawValue))
    ], tables: [match, chip, reset], change: .restartForList)
}
