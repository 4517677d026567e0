import Testing

@testable import Radio

@Suite("The life of a radio, step by step")
struct RadioMachineTests {
    static let path = "/org/bluez/hci0"

    static func adapter(_ change: (inout BluezAdapter) -> Void = { _ in }) -> BluezAdapter {
        var adapter = BluezAdapter(path: path)
        adapter.address = "00:1A:7D:DA:71:13"
        adapter.isPowered = true
        adapter.acceptsApplications = true
        adapter.acceptsAdvertisements = true
        change(&adapter)
        return adapter
    }

    static func around(_ adapter: BluezAdapter = adapter(), block: RadioBlock? = nil) -> RadioSurroundings {
        RadioSurroundings(service: .up, choice: .found(adapter), block: block)
    }

    static let nobody = RadioSurroundings(service: .up, choice: .absent(reason: "none"), block: nil)
    static let refusal = BusFailure(name: "org.bluez.Error.Failed", text: "Failed to register advertisement")

    /// A machine on the air at 100.
    static func onAir() throws -> RadioMachine {
        var machine = RadioMachine()
        let application = try #require(machine.look(at: around(), now: 100).last)
        let removal = try #require(machine.answered(application, nil, now: 100).last)
        let registration = try #require(machine.answered(removal, Self.refusal, now: 100).last)
        #expect(machine.answered(registration, nil, now: 100).isEmpty)
        #expect(machine.state == .ready)
        return machine
    }

    @Test func theStepsComeInTheirOrder() throws {
        var machine = RadioMachine()
        #expect(machine.state == .starting)
        let first = machine.look(at: Self.around(), now: 100)
        #expect(first.map(\.step) == [.forbidPairing, .registerApplication])
        #expect(machine.look(at: Self.around(), now: 101).isEmpty)
        // Whether pairing could be forbidden changes nothing.
        #expect(machine.answered(first[0], Self.refusal, now: 102).isEmpty)
        let second = machine.answered(first[1], nil, now: 103)
        #expect(second.map(\.step) == [.unregisterAdvertisement])
        #expect(machine.state == .starting)
        let third = machine.answered(second[0], nil, now: 104)
        #expect(third.map(\.step) == [.registerAdvertisement])
        #expect(machine.answered(third[0], nil, now: 105).isEmpty)
        #expect(machine.state == .ready)
        #expect(machine.nextChange == 105 + RadioMachine.afterQuietMilliseconds)
    }

    @Test func anAnswerToAnEarlierLifeIsForNobody() throws {
        var machine = RadioMachine()
        let early = try #require(machine.look(at: Self.around(), now: 100).last)
        _ = machine.look(at: RadioSurroundings(service: .down, choice: .absent(reason: ""), block: nil), now: 101)
        #expect(machine.answered(early, nil, now: 102).isEmpty)
        let late = try #require(machine.look(at: Self.around(), now: 103).last)
        #expect(machine.answered(early, nil, now: 104).isEmpty)
        #expect(machine.answered(late, nil, now: 105).map(\.step) == [.unregisterAdvertisement])
    }

    @Test func anApplicationFromBeforeIsAsGood() throws {
        var machine = RadioMachine()
        let application = try #require(machine.look(at: Self.around(), now: 100).last)
        let failure = BusFailure(name: "org.bluez.Error.AlreadyExists", text: "Already Exists")
        #expect(machine.answered(application, failure, now: 100).map(\.step) == [.unregisterAdvertisement])
    }

    @Test func whatIsRefusedIsAskedAgainAfterAPause() throws {
        var machine = RadioMachine()
        let application = try #require(machine.look(at: Self.around(), now: 100).last)
        #expect(machine.answered(application, Self.refusal, now: 100).isEmpty)
        #expect(machine.state == .refused(error: Self.refusal.name, text: Self.refusal.text))
        #expect(machine.nextChange == 100 + RadioMachine.pauseMilliseconds)
        #expect(machine.advance(to: 1_099).isEmpty)
        #expect(machine.advance(to: 1_100).map(\.step) == [.forbidPairing, .registerApplication])
    }

    /// The states of the radio one after the other while bluetoothd refuses that step, each as often as it was another one than before.
    private static func states(of machine: inout RadioMachine, refused step: RadioStep?, _ first: [RadioRequest] = [],
                               during times: Range<Int64>) -> [String] {
        var (requests, states) = (first, [machine.state.code])
        func note() { if machine.state.code != states.last { states.append(machine.state.code) } }
        for time in stride(from: times.lowerBound, to: times.upperBound, by: 10) {
            requests += machine.look(at: around(), now: time) + machine.advance(to: time)
            note()
            while let request = requests.popLast() {
                requests += machine.answered(request, request.step == step ? refusal : nil, now: time)
                note()
            }
        }
        return states
    }

    @Test(arguments: [RadioStep.registerApplication, .registerAdvertisement])
    func whatIsRefusedAgainAndAgainIsRefusedOnce(step: RadioStep) {
        var machine = RadioMachine()
        #expect(Self.states(of: &machine, refused: step, during: 1_000..<6_000) == ["radio-starting", "radio-refused"])
        #expect(Self.states(of: &machine, refused: nil, during: 6_000..<8_000) == ["radio-refused", "radio-ready"])
    }

    @Test func soIsWhatWasOnTheAirBefore() throws {
        var machine = try Self.onAir()
        #expect(machine.released(now: 900).isEmpty)
        #expect(Self.states(of: &machine, refused: .registerAdvertisement, during: 1_000..<6_000) == ["radio-ready", "radio-refused"])
        // Whoever connects and leaves now does not make it found.
        for count in [1, 0] {
            let time = 6_000 + Int64(1 - count) * 3_000
            let requests = machine.connections(count, now: time)
            #expect(requests.map(\.step) == [.unregisterAdvertisement])
            #expect(Self.states(of: &machine, refused: .registerAdvertisement, requests, during: time..<time + 3_000) == ["radio-refused"])
        }
        #expect(Self.states(of: &machine, refused: nil, during: 12_000..<14_000) == ["radio-refused", "radio-ready"])
    }

    @Test func aRefusalEndsWithWhatHasRefused() {
        var another = BluezAdapter(path: "/org/bluez/hci1")
        (another.isPowered, another.acceptsApplications, another.acceptsAdvertisements) = (true, true, true)
        let down = RadioSurroundings(service: .down, choice: .absent(reason: ""), block: nil)
        for around in [down, Self.nobody, Self.around(another)] {
            var machine = RadioMachine()
            #expect(Self.states(of: &machine, refused: .registerApplication, during: 1_000..<1_100).last == "radio-refused")
            _ = machine.look(at: around, now: 1_200)
            _ = machine.look(at: Self.around(), now: 1_300)
            #expect(machine.state == .starting)
        }
    }

    @Test func aBluetoothdThatIsAskedAgainHasRefusedStill() {
        let service = ServiceStanding.asked(since: 100, refusal: Self.refusal)
        let around = RadioSurroundings(service: service, choice: .absent(reason: ""), block: nil)
        #expect(AdapterVerdict(around, now: 100) == .hindered(.refused(error: Self.refusal.name, text: Self.refusal.text)))
        #expect(AdapterVerdict(around, now: 6_100) == .hindered(.serviceSilent(milliseconds: 6_000)))
    }

    @Test func whatIsNotAnsweredCountsAsRefused() throws {
        var machine = RadioMachine()
        let application = try #require(machine.look(at: Self.around(), now: 100).last)
        let time = 100 + RadioMachine.patienceMilliseconds
        #expect(machine.advance(to: time).isEmpty)
        #expect(machine.state.code == "radio-refused")
        // The late answer is for nobody.
        #expect(machine.answered(application, nil, now: time + 1).isEmpty)
        #expect(machine.state.code == "radio-refused")
    }

    @Test func eachConnectionRenewsTheAdvertisement() throws {
        var machine = try Self.onAir()
        let removal = try #require(machine.connections(1, now: 200).first)
        #expect(removal.step == .unregisterAdvertisement)
        #expect(machine.state == .ready)
        // Another one while it is on its way: once more afterwards.
        #expect(machine.connections(2, now: 201).isEmpty)
        let registration = try #require(machine.answered(removal, nil, now: 202).first)
        #expect(machine.answered(registration, nil, now: 203).map(\.step) == [.unregisterAdvertisement])
        #expect(machine.state == .ready)
    }

    /// Answers everything at once, to the end.
    private static func serve(_ requests: [RadioRequest], _ machine: inout RadioMachine, at time: Int64) -> [RadioStep] {
        var (open, steps) = (requests, [RadioStep]())
        while let request = open.first {
            steps.append(request.step)
            open = machine.answered(request, nil, now: time)
        }
        return steps
    }

    @Test func itIsRenewedOnceMoreWhenPhonesHaveGone() throws {
        var machine = try Self.onAir()
        _ = Self.serve(machine.connections(1, now: 1_000), &machine, at: 1_000)
        #expect(machine.nextChange == nil, "while a phone is there nothing is due")
        _ = Self.serve(machine.connections(0, now: 1_500), &machine, at: 1_500)
        #expect(machine.nextChange == 1_500 + RadioMachine.afterPhonesMilliseconds)
        #expect(machine.advance(to: 3_499).isEmpty)
        #expect(Self.serve(machine.advance(to: 3_500), &machine, at: 3_500) == [.unregisterAdvertisement, .registerAdvertisement])
        #expect(machine.nextChange == 3_500 + RadioMachine.afterQuietMilliseconds)
    }

    @Test func itIsRenewedNowAndThenWhenNobodyComes() throws {
        var machine = try Self.onAir()
        for time in [Int64](arrayLiteral: 300_100, 600_100, 900_100) {
            #expect(machine.nextChange == time)
            #expect(Self.serve(machine.advance(to: time), &machine, at: time) == [.unregisterAdvertisement, .registerAdvertisement])
            #expect(machine.state == .ready)
        }
    }

    @Test func whatWasDueWhileItWasOffTheAirIsNotMadeUpFor() throws {
        var machine = try Self.onAir()
        _ = machine.look(at: RadioSurroundings(service: .down, choice: .absent(reason: ""), block: nil), now: 200)
        let back = 1_000 + RadioMachine.afterQuietMilliseconds
        let application = try #require(machine.look(at: Self.around(), now: back).last)
        #expect(Self.serve([application], &machine, at: back) == [.registerApplication, .unregisterAdvertisement, .registerAdvertisement])
        #expect(machine.nextChange == back + RadioMachine.afterQuietMilliseconds)
    }

    @Test func whoConnectsAndLeavesWithoutEndKeepsNobodyBusy() throws {
        var machine = try Self.onAir()
        var renewals: [Int64] = []
        for time in stride(from: Int64(200), to: 10_200, by: 10) {
            let requests = machine.advance(to: time) + machine.connections(time % 20 == 0 ? 1 : 0, now: time)
            let steps = Self.serve(requests, &machine, at: time)
            renewals += steps.filter { $0 == .unregisterAdvertisement }.map { _ in time }
        }
        #expect(renewals.prefix(10) == [200, 210, 220, 230, 240, 250, 260, 270, 280, 290])
        #expect(renewals.count <= 10 + 10_000 / 250)
        // The last one comes when it is over.
        _ = machine.connections(0, now: 10_200)
        let last = try #require(machine.nextChange)
        #expect(last <= 10_200 + RenewalPace.intervalMilliseconds)
        #expect(Self.serve(machine.advance(to: last), &machine, at: last) == [.unregisterAdvertisement, .registerAdvertisement])
        #expect(machine.nextChange == 10_200 + RadioMachine.afterPhonesMilliseconds)
    }

    @Test func aControllerThatCannotAdvertiseWhileConnectedIsNoFault() throws {
        var machine = try Self.onAir()
        let removal = try #require(machine.connections(1, now: 200).first)
        let registration = try #require(machine.answered(removal, nil, now: 200).first)
        #expect(machine.answered(registration, Self.refusal, now: 200).isEmpty)
        #expect(machine.state == .ready)
        // The phone goes: again, and now a refusal counts.
        let second = try #require(machine.connections(0, now: 800).first)
        let third = try #require(machine.answered(second, nil, now: 800).first)
        #expect(machine.answered(third, Self.refusal, now: 800).isEmpty)
        #expect(machine.state.code == "radio-refused")
    }

    @Test func aReleaseIsFixedAfterAMoment() throws {
        var machine = try Self.onAir()
        #expect(machine.released(now: 200).isEmpty)
        #expect(machine.state == .ready)
        #expect(machine.advance(to: 200 + RadioMachine.releasePauseMilliseconds).map(\.step) == [.unregisterAdvertisement])
    }

    @Test func anAdapterThatHasJustComeHasItsTime() {
        var machine = RadioMachine()
        _ = machine.look(at: Self.around(Self.adapter { $0.isPowered = false }), now: 100)
        #expect(machine.state == .starting)
        _ = machine.look(at: Self.around(Self.adapter { $0.acceptsAdvertisements = false }), now: 200)
        #expect(machine.state == .starting)
        #expect(machine.nextChange == 3_100)
        _ = machine.advance(to: 3_100)
        #expect(machine.state == .noPeripheralRole(address: "00:1A:7D:DA:71:13"))
    }

    @Test func oneThatIsSwitchedOffHasNot() throws {
        var machine = try Self.onAir()
        _ = machine.look(at: Self.around(Self.adapter { $0.isPowered = false }), now: 200)
        #expect(machine.state == .off(address: "00:1A:7D:DA:71:13"))
        _ = machine.look(at: Self.nobody, now: 300)
        #expect(machine.state.code == "radio-absent")
        // Plugged in again it is switched on by bluetoothd.
        _ = machine.look(at: Self.around(Self.adapter { $0.isPowered = false }), now: 400)
        #expect(machine.state == .starting)
        #expect(machine.look(at: Self.around(), now: 500).map(\.step) == [.forbidPairing, .registerApplication])
    }

    @Test func aBluetoothdThatSaysNothingIsNamed() {
        var machine = RadioMachine()
        let around = RadioSurroundings(service: .asked(since: 100, refusal: nil), choice: .absent(reason: ""), block: nil)
        _ = machine.look(at: around, now: 6_099)
        #expect(machine.state == .starting)
        _ = machine.look(at: around, now: 6_100)
        #expect(machine.state == .serviceSilent(milliseconds: 6_000))
        #expect(around.service.nextLook(after: 100) == 6_100)
        #expect(around.service.nextLook(after: 6_100) == nil)
    }

    @Test func whatHindersIsNamed() {
        let off = Self.adapter { $0.isPowered = false }
        let cases: [(RadioSurroundings, AdapterVerdict)] = [
            (RadioSurroundings(service: .noBus(reason: "x"), choice: .found(Self.adapter()), block: nil), .hindered(.busDown(reason: "x"))),
            (RadioSurroundings(service: .down, choice: .found(Self.adapter()), block: nil), .hindered(.serviceDown)),
            (RadioSurroundings(service: .refused(Self.refusal, until: 9), choice: .absent(reason: ""), block: nil),
             .hindered(.refused(error: Self.refusal.name, text: Self.refusal.text))),
            (RadioSurroundings(service: .up, choice: .ambiguous(addresses: ["a", "b"]), block: nil), .hindered(.ambiguous(addresses: ["a", "b"]))),
            (Self.around(off, block: .hard), .hindered(.blocked(.hard))),
            (Self.around(off, block: .soft), .hindered(.blocked(.soft))),
            (Self.around(Self.adapter { ($0.isPowered, $0.powerState) = (false, "off-blocked") }), .hindered(.blocked(.soft))),
            (Self.around(off), .unready(.off(address: "00:1A:7D:DA:71:13"))),
            (Self.around(Self.adapter { $0.roles = ["central"] }), .hindered(.noPeripheralRole(address: "00:1A:7D:DA:71:13"))),
            (Self.around(Self.adapter { $0.acceptsApplications = false }), .unready(.noPeripheralRole(address: "00:1A:7D:DA:71:13"))),
            (Self.around(), .fit(adapter: Self.path))
        ]
        for (around, verdict) in cases { #expect(AdapterVerdict(around, now: 0) == verdict) }
    }

    @Test func everyFaultNamesItsRemedy() {
        let faults: [RadioState] = [
            .busDown(reason: "x."), .serviceDown, .serviceSilent(milliseconds: 7_000), .ambiguous(addresses: ["a", "b"]),
            .off(address: "a"), .blocked(.soft), .blocked(.hard), .noPeripheralRole(address: "a"), .refused(error: "e", text: "t"),
            .strengthUnknown(reason: "r."),
            .refused(error: "org.freedesktop.DBus.Error.AccessDenied", text: "t"), .refused(error: "org.bluez.Error.NotPermitted", text: "")
        ]
        for fault in faults {
            #expect(!fault.isInService)
            #expect(fault.message.contains("`"), "\(fault.code): \(fault.message)")
        }
        #expect(Set(faults.map(\.code)).count == faults.count - 2)
    }
}
