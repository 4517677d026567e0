import Foundation
import Testing

@testable import Lines

@Suite struct LineErrorTests {
    /// Every error with its code, and a part of the fix that its sentence must name (T13).
    static let all: [(LineError, code: String, remedy: String)] = [
        (.noChip(chip: "gpiochip7"), "line-no-chip", "`gpiodetect`"),
        (.ambiguousChip(chip: "pcf8574", paths: ["/dev/gpiochip1", "/dev/gpiochip2"]), "line-ambiguous-chip",
         "/dev/gpiochip1, /dev/gpiochip2. Name one of them by path"),
        (.notAChip(path: "/dev/null"), "line-not-a-chip", "`gpiodetect`"),
        (.noPermission(path: "/dev/gpiochip0"), "line-no-permission", "udev rule"),
        (.noLine(chip: "gpiochip0", line: .offset(54), count: 54), "line-no-line", "54 lines from 0. `gpioinfo`"),
        (.ambiguousLine(chip: "gpiochip0", line: .named("RELAY")), "line-ambiguous-line", "by its number"),
        (.busy(chip: "gpiochip0", line: .offset(3), consumer: "gpioset"), "line-busy", "in use by gpioset. Stop that"),
        (.noEdges(chip: "gpiochip0", line: .offset(3)), "line-no-edges", "interrupt"),
        (.requestedTwice(name: "entry-relay"), "line-requested-twice", "one name and one use"),
        (.unknown(name: "entry-relay"), "line-unknown", "entry-relay"),
        (.released, "line-released", "given back"),
        (.failed(doing: "Setting line 3 of gpiochip0", errno: EIO), "line-failed", "Setting line 3 of gpiochip0 failed: "),
    ]

    @Test(arguments: all.indices)
    func sentenceNamesTheRemedyAndCodeIsStable(index: Int) {
        let (error, code, remedy) = Self.all[index]
        #expect(error.code == code)
        #expect(error.message.contains(remedy), "\(error.message)")
        #expect(error.message.hasSuffix("."))
    }

    @Test func codesDiffer() {
        #expect(Set(Self.all.map { $0.0.code }).count == Self.all.count)
    }

    @Test func aHolderWithoutANameIsSaidToBeOne() {
        let error = LineError.busy(chip: "gpiochip0", line: .named("RELAY"), consumer: "")
        #expect(error.message.contains("line \"RELAY\" of gpiochip0 is in use by somebody without a name."))
    }

    @Test(arguments: [
        (ENOENT, LineError.noChip(chip: "gates")),
        (ENOTDIR, .noChip(chip: "gates")),
        (EACCES, .noPermission(path: "/dev/x")),
        // The service manager's DeviceAllow refuses with EPERM.
        (EPERM, .noPermission(path: "/dev/x")),
        (ENOTTY, .notAChip(path: "/dev/x")),
        (ENODEV, .notAChip(path: "/dev/x")),
        (ENXIO, .notAChip(path: "/dev/x")),
        (EISDIR, .notAChip(path: "/dev/x")),
        (EMFILE, .failed(doing: "Opening /dev/x", errno: EMFILE)),
    ])
    func whatTheKernelSaysOnOpening(errno: Int32, meaning: LineError) {
        #expect(LineError(opening: "/dev/x", wanted: "gates", errno: errno) == meaning)
    }
}
