import CLinux
import Encoding
@testable import Service
import Foundation
import Testing
import Threads

@Suite("The clock remembers")
struct SystemClockTests {
    let folder: Folder
    static let built = clinux_build_seconds() * 1000
    static let later = built + 400 * 86_400_000

    init() throws { folder = try Folder() }

    func clock(_ realtime: Int64 = later, synchronised: Bool = false) -> SystemClock {
        SystemClock(store: ClockStore(directory: folder.path), policy: ClockPolicy(), boot: "boot", hasBattery: false) { _ in
            ClockSample(realtime: realtime, sinceBoot: 1000, kernelSynchronised: synchronised)
        }
    }

    @Test("The first floor is the build date, a moment of this century")
    func buildDate() {
        let clock = clock()
        #expect(clock.floorMilliseconds == Self.built)
        #expect(UTCText.make(milliseconds: Self.built).hasPrefix("20"))
        #expect(Self.built > 1_735_689_600_000)
        #expect(Self.built < clinux_realtime_nanoseconds() / 1_000_000)
    }

    @Test("A raised floor survives a restart, a lower one changes nothing")
    func restart() throws {
        let first = clock()
        first.raiseFloor(toMilliseconds: Self.later + 5)
        try first.save()
        let second = clock()
        #expect(second.complaints == [])
        #expect(second.floorMilliseconds == Self.later + 5)
        #expect(second.now().milliseconds == Self.later + 5)
        second.raiseFloor(toMilliseconds: Self.later)
        #expect(second.floorMilliseconds == Self.later + 5)
    }

    @Test("The last synchronisation survives a restart within one boot")
    func holdover() throws {
        let first = clock(synchronised: true)
        #expect(first.now().trust == .synchronised)
        try first.save()
        #expect(clock().now().trust == .holdover(ageSeconds: 0))
    }

    /// Otherwise whoever cuts power and network opens with what expired since the last publication.
    @Test("After a power cut no reading is before the last synchronised one")
    func powerCut() throws {
        let first = clock(Self.later, synchronised: true)
        try first.save()
        // A board without a battery: it comes up at the time its software was built.
        let second = clock(Self.built + 1000)
        #expect(second.now().milliseconds == Self.later)
        #expect(second.floorMilliseconds == Self.later)
    }

    @Test("A memory that knows a synchronisation after its floor gets that floor")
    func oldMemory() throws {
        let last = ClockMemory.Synchronisation(realtime: Self.later, sinceBoot: 1, boot: "before")
        try ClockStore(directory: folder.path).save(ClockMemory(floor: Self.built, lastSynchronised: last))
        #expect(clock(Self.built + 1000).floorMilliseconds == Self.later)
    }

    @Test("What nobody asked for is seen when it is kept")
    func savingLooks() throws {
        try clock(Self.later, synchronised: true).save()
        #expect(clock(Self.built).floorMilliseconds == Self.later)
    }

    @Test("One damaged copy costs nothing", arguments: ["clock", "clock.second"])
    func oneDamagedCopy(name: String) throws {
        let first = clock()
        first.raiseFloor(toMilliseconds: Self.later + 5)
        try first.save()
        try Data("floor 0\n".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        let second = clock()
        #expect(second.floorMilliseconds == Self.later + 5)
        #expect(second.complaints == ["\(folder.file(name)) is damaged; it will be written anew."])
        try second.save()
        #expect(clock().complaints == [])
    }

    @Test("With both damaged the build date holds, and it is said")
    func bothDamaged() throws {
        for name in ["clock", "clock.second"] { try Data([0xFF, 0, 10]).write(to: URL(fileURLWithPath: folder.file(name))) }
        let clock = clock()
        #expect(clock.floorMilliseconds == Self.built)
        #expect(clock.complaints.count == 2)
    }

    @Test("Every single changed or missing byte is noticed")
    func everyByte() {
        var interval = ClockEstimate(1_764_000_000_000, at: 77, by: .signed)
        interval.believe(1_764_000_100_500, at: 100_077)
        let memory = ClockMemory(floor: 1_764_000_000_123,
                                 lastSynchronised: .init(realtime: 1_764_000_000_000, sinceBoot: 77, boot: "a-b"),
                                 estimate: .init(boot: "a-b", interval: interval))
        let bytes = ClockFile.text(memory)
        #expect(ClockFile.parse(bytes) == memory)
        for index in bytes.indices {
            for flip in [1, 0x20, 0x80] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= flip
                #expect(ClockFile.parse(damaged) == nil)
            }
            #expect(ClockFile.parse(Array(bytes[..<index])) == nil)
        }
        #expect(ClockFile.parse(bytes + [10]) == nil)
        #expect(ClockFile.parse(ClockFile.text(ClockMemory(floor: -5))) == ClockMemory(floor: -5))
    }

    @Test("A folder that cannot be written is an error with a reason, and the clock goes on")
    func unwritable() {
        let clock = SystemClock(store: ClockStore(directory: folder.file("nowhere")), policy: ClockPolicy(), boot: "b",
                                hasBattery: false) { _ in ClockSample(realtime: Self.later, sinceBoot: 1, kernelSynchronised: true) }
        #expect(throws: SystemError("write \(folder.file("nowhere"))/clock", ENOENT)) { try clock.save() }
        #expect(clock.now().trust == .synchronised)
    }

    @Test("A person can take the floor back to the build date")
    func reset() throws {
        let clock = clock()
        clock.raiseFloor(toMilliseconds: Self.later * 2)
        let reset = try clock.resetFloor()
        #expect(reset.before == Self.later * 2)
        #expect(reset.after == Self.built)
        try clock.save()
        #expect(self.clock().floorMilliseconds == Self.built)
    }

    @Test("A change of trust is told once, with its cause")
    func tidings() {
        let told = Monitor<[WallTime]>([])
        let synchronised = Monitor(true)
        let clock = SystemClock(store: nil, policy: ClockPolicy(), boot: "boot", hasBattery: false, sample: { _ in
            ClockSample(realtime: Self.later, sinceBoot: 1000, kernelSynchronised: synchronised.withLock { $0 })
        }, onTrustChange: { time in told.withLock { $0.append(time) } })
        for _ in 1...3 { _ = clock.now() }
        synchronised.withLock { $0 = false }
        for _ in 1...3 { _ = clock.now() }
        clock.raiseFloor(toMilliseconds: Self.later + 120_000)
        for _ in 1...3 { _ = clock.now() }
        #expect(told.withLock { $0 }.map(\.trust) == [.synchronised, .holdover(ageSeconds: 0), .untrusted])
        #expect(told.withLock { $0 }.map(\.doubt) == [nil, nil, .behindFloor(machine: Self.later, floor: Self.later + 120_000)])
    }

    /// Asked after an earlier reading, at `sinceBoot` with the wall clock at `realtime`.
    private func isAskedAnew(_ realtime: Int64, _ sinceBoot: Int64, after earlier: ClockSample?) -> Bool {
        var asked = false
        let sample = ClockSample.read(after: earlier, realtime: realtime, sinceBoot: sinceBoot) {
            asked = true
            return false
        }
        #expect(sample.realtime == realtime && sample.sinceBoot == sinceBoot)
        #expect(sample.kernelSynchronised == !asked)
        #expect(sample.askedAt == (asked ? sinceBoot : earlier?.askedAt))
        return asked
    }

    @Test("The kernel's word on the clock holds for a second, and not once somebody has set the clock")
    func kernelsWord() {
        let earlier = ClockSample(realtime: 1_000_000, sinceBoot: 5000, kernelSynchronised: true)
        #expect(isAskedAnew(1_000_000, 5000, after: nil))
        #expect(!isAskedAnew(1_000_000, 5000, after: earlier))
        #expect(!isAskedAnew(1_000_999, 5999, after: earlier))
        #expect(isAskedAnew(1_001_000, 6000, after: earlier))
        // What is taken over does not last longer for it.
        let later = ClockSample(realtime: 1_000_999, sinceBoot: 5999, kernelSynchronised: true, askedAt: 5000)
        #expect(isAskedAnew(1_001_001, 6001, after: later))
        // Set forward, set back; corrected slowly.
        #expect(isAskedAnew(1_000_111, 5100, after: earlier))
        #expect(isAskedAnew(1_000_089, 5100, after: earlier))
        #expect(!isAskedAnew(1_000_110, 5100, after: earlier))
        // Another thread was faster: its word is from later than this reading.
        #expect(isAskedAnew(999_990, 4990, after: earlier))
    }

    @Test("The machine's own clock answers, and the boot has a name")
    func machine() {
        let clock = SystemClock(directory: nil)
        #expect(clock.now().milliseconds >= clock.floorMilliseconds)
        #expect(SystemClock.bootIdentifier.count == 36)
    }
}
