import CommandLineOptions
import Encoding
import Glibc
import PhoneTool
import Service
import Threads
import VirtualPhone

/// Plays a PN532 at a serial port, onto which `tap` puts phones.
struct ReaderCommand {
    private let link: String
    private let port: UInt16
    private let card: AirCard
    private let timing: PN532Timing
    private let timeScale: Int
    private let showsAir: Bool

    init(_ command: ParsedCommand) throws {
        link = try command.required("link")
        port = UInt16(try command.integer("port", in: 0...65535) ?? 0)
        card = try Self.card(command)
        timing = command.has("byte-times") ? .bytes() : .none
        timeScale = try command.integer("time-scale", in: 1...100_000) ?? 1
        showsAir = command.has("air")
    }

    /// Runs until a person or another program stops it.
    func run() throws {
        let slot: CardSlot
        let chip: VirtualPN532
        do throws(SystemError) {
            let showsAir = showsAir
            slot = try CardSlot(port: port, card: card)
            chip = try VirtualPN532(
                link: link, timing: timing, timeScale: timeScale,
                onAir: { record in if showsAir { StandardStream.output.write(record.json) } }, onCard: slot.handle)
        } catch {
            throw PhoneToolError.system(error)
        }
        let signals = try SignalWatch { if $0 == .stop { slot.stop() } }
        defer { signals.stop() }
        StandardStream.output.write(["link": .string(link), "path": .string(chip.path ?? ""), "port": JSON(Int(slot.port))])
        // It ends with the program: nobody can take it out of its read.
        _ = try Worker(name: "orders") { Self.obeyOrders(chip) }
        slot.serve(chip)
        // The thread that waits for orders keeps the chip: its link would stay.
        chip.unplug()
    }

    private static func obeyOrders(_ chip: VirtualPN532) {
        while let line = readLine() {
            do throws(PhoneToolError) {
                try obey(ChipOrder(line), chip)
                StandardStream.output.write(["done": .string(line)])
            } catch {
                StandardStream.output.write(["error": .string(error.code), "message": .string(error.message)])
            }
        }
    }

    private static func obey(_ order: ChipOrder, _ chip: VirtualPN532) throws(PhoneToolError) {
        switch order {
        case .fault(let fault): chip.misbehave(fault.misbehaviour)
        case .behave: chip.behave()
        case .reset: chip.reset()
        case .unplug: chip.unplug()
        case .plugIn: do throws(SystemError) { try chip.plugIn() } catch { throw .system(error) }
        }
    }

    private static let identifierLengths = [4, 7, 10]

    private static func card(_ command: ParsedCommand) throws -> AirCard {
        let identifier = try bytes(command, "uid", "4, 7 or 10 bytes in hexadecimal") { identifierLengths.contains($0) }
        if command.has("plain") { return .plain(identifier ?? [0x12, 0x34, 0x56, 0x78]) }
        var card = AirCard.phone
        if let identifier { card.identifier = identifier }
        card.expressMode = try bytes(command, "express", "three bytes in hexadecimal") { $0 == 3 }.map { ExpressMode(identifier: $0) }
        return card
    }

    private static func bytes(
        _ command: ParsedCommand, _ option: String, _ wanted: String, _ fits: (Int) -> Bool
    ) throws(CommandLineError) -> [UInt8]? {
        guard let text = command.value(option) else { return nil }
        guard let bytes = try? Hex.decode(text), fits(bytes.count) else { throw .badValue(option: option, value: text, wanted: wanted) }
        return bytes
    }
}
