import Credentials
import Encoding
import PhoneProtocol

/// What a phone said in a message_3, to whom, and where.
final class Statement {
    let phone: Phone
    let gate: Turnstile
    /// The data of the first response with it.
    let firstPart: [UInt8]
    var isSpent = false

    init(phone: Phone, gate: Turnstile, firstPart: [UInt8]) {
        self.phone = phone
        self.gate = gate
        self.firstPart = firstPart
    }
}

/// A person's phone, which keeps to the protocol, in somebody's hand on one carrier.
final class Phone {
    let person: Person
    let settings: PhoneSettings
    private var phone: NFCPhone
    /// The message_1 that is out.
    private(set) var message1: [UInt8] = []
    /// Data of the chain of commands so far.
    private var chain: [UInt8] = []

    init(_ person: Person, _ settings: PhoneSettings) {
        self.person = person
        self.settings = settings
        phone = NFCPhone(identity: person.identity, settings: settings)
    }

    var command: String { settings.command ?? PhoneProtocolProfile.defaultCommand }

    /// A command comes; everything that the phone lets out is held against the laws.
    func receive(_ command: [UInt8], in run: Run) throws -> [UInt8] {
        let response = phone.receive(command)
        for mark in person.marks { try hold(.identityInClear, !response.contains(run: mark)) }
        guard let parsed = try? CommandAPDU(parsing: command), let answer = try? ResponseAPDU(parsing: response) else { return response }
        let data = collect(parsed)
        switch (parsed.ins, ExchangeKind(rawValue: parsed.p1)) {
        case (PhoneProtocolProfile.selectInstruction, _):
            if let select = SelectAnswer(parsing: answer.data) { try begin(select.message1, run) }
        case (PhoneProtocolProfile.exchangeInstruction, .message):
            if !answer.data.isEmpty { try speak(to: data, answer.data, run) }
        case (PhoneProtocolProfile.exchangeInstruction, .error), (PhoneProtocolProfile.exchangeInstruction, .nextMessage1):
            if !answer.data.isEmpty { try begin(answer.data, run) }
        case (PhoneProtocolProfile.outcomeInstruction, _):
            if answer.status == .success, parsed.cla & 0x10 == 0 { try believe(data, run) }
        default:
            break
        }
        return response
    }

    /// The data of a command with those chained before it (ISO/IEC 7816-4, 5.3.3). A chain that the phone does not
    /// take leads to nothing until it begins again.
    private func collect(_ command: CommandAPDU) -> [UInt8] {
        let isOurs = command.ins == PhoneProtocolProfile.exchangeInstruction || command.ins == PhoneProtocolProfile.outcomeInstruction
        guard isOurs, command.cla | CommandChain.chainingBit == PhoneProtocolProfile.proprietaryClass | CommandChain.chainingBit else {
            return command.data
        }
        let whole = chain + command.data
        chain = command.cla & CommandChain.chainingBit == 0 ? [] : whole
        return whole
    }

    private func begin(_ message: [UInt8], _ run: Run) throws {
        message1 = message
        chain = []
        guard let start = message.indices.dropLast(33).first(where: { message[$0] == 0x58 && message[$0 + 1] == 0x20 }) else { return }
        try hold(.reusedEphemeral, run.points.insert(Array(message[(start + 2)..<(start + 34)])).inserted)
    }

    /// A message_3 is on its way: only the gate of this phone's site may have caused it, in the very exchange.
    private func speak(to message2: [UInt8], _ data: [UInt8], _ run: Run) throws {
        guard let gate = run.gates.first(where: { $0.message2s.contains(message2) }) else { throw Broken(law: .identityToNoGate) }
        try hold(.identityToAnotherSite, person.homes[gate.site] != nil)
        let isMine = gate.heard.contains(run: message1) && gate.context.carrier == settings.carrier
        let seen = phone.gate
        try hold(.identityElsewhere, isMine && seen == gate.context)
        run.statements.append(Statement(phone: self, gate: gate, firstPart: data))
        run.count.statements += 1
    }

    private func believe(_ data: [UInt8], _ run: Run) throws {
        let told = run.gates.contains { $0.told == data && $0.statement?.phone === self }
        try hold(.outcomeFromNobody, told)
        run.count.outcomes += 1
    }
}
