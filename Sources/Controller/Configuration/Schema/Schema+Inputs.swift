import Vocabulary

extension Schema {
    /// The inputs of one lane.
    static let laneInputs = SettingTable("inputs", .single, "The lane's contacts; each may be left out.",
                                         tables: InputName.allCases.map { input($0, inputTexts[$0] ?? "") }, change: .restart)

    /// The inputs of the whole gate.
    static let inputs = SettingTable("inputs", .single, "Contacts that concern every lane of the gate; each may be left out.",
                                     tables: InputName.ofGate.map { input($0, "As `[lane.inputs.\($0.rawValue)]`, for every lane.") }, change: .restart)

    private static let inputTexts: [InputName: String] = [
        .passageIn: "Active while somebody goes through: inwards, or either way where it is the only one.",
        .passageOut: "Active while somebody goes through outwards.",
        .requestToExit: "The button for those who want out.",
        .fire: "The contact of the fire alarm system. It overrides everything; an alarm and a broken wire look the same, unless there is a `fire-open`.",
        .fireOpen: "The normally open half of a change-over contact whose normally closed half is `fire`: tells an alarm from a cut or a short.",
        .tamper: "The contact of the housing.",
        .readerTamper: "The contact of the reader.",
        .powerFail: "The contact of the power supply: the gate runs on its battery.",
        .modeSwitch: "A key switch that chooses the lane's mode while it is turned."
    ]

    private static func input(_ name: InputName, _ explanation: String) -> SettingTable {
        SettingTable(name.rawValue, .optional, explanation, settings: contact(name == .fire ? .closed : .open) + more(name))
    }

    private static func contact(_ rest: NormalContact) -> [Setting] {
        [Setting("chip", .text(maximum: 128), .required,
                 "The GPIO chip: its name, path or label; `simulated` is moved by `tapstile simulate` only."),
         Setting("line", .line, .required, "The line on the chip: its number or its name."),
         Setting("closed", .choice(ActiveLevel.allCases.map(\.rawValue)), .standard(.text("low")),
                 "The voltage while the contact is closed: `low` for one that leads to ground."),
         Setting("normally", .choice(NormalContact.allCases.map(\.rawValue)), .standard(.text(rest.rawValue)),
                 "How the contact is as long as nothing is the matter."),
         Setting("bias", .choice(InputBias.allCases.map(\.rawValue)), .standard(.text("as-is")),
                 "The chip's own resistor while the contact is open; a chip that has none ignores it.")]
    }

    /// What a mode switch may make of its lane while it is turned: anything but normal.
    static let switchModes: [LaneMode] = [.lockedDown, .freePassage, .closed, .heldOpen]

    private static func more(_ name: InputName) -> [Setting] {
        let debounce = Setting("debounce-ms", .integer(1...1000), .standard(.integer(20)), "How long the contact must be quiet to count.")
        let mode = Setting("mode", .choice(switchModes.map(\.rawValue)), .required, "The lane's mode while the switch is turned.")
        return switch name {
        case .fireOpen: []
        case .modeSwitch: [debounce, mode]
        case .passageIn, .passageOut, .requestToExit, .fire, .tamper, .readerTamper, .powerFail: [debounce]
        }
    }
}
