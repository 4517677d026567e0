import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

@testable import Controller

/// A gate comes up without its keys, does nothing that needs them, and takes them into service by a reload.
@Suite("A gate that lacks keys") struct KeyProblemTests {
    let site: TestSite
    let events = EventLog()

    init() throws { site = try TestSite() }

    private func gate() throws -> Controller {
        let controller = try site.controller()
        let events = self.events
        controller.listen { events.add($0) }
        return controller
    }

    private func remove(_ name: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: site.folder.appendingPathComponent(name)))
        try FileManager.default.removeItem(atPath: site.path(name))
        return bytes
    }

    private func problems(_ controller: Controller) -> [String] {
        (controller.status["keys"]?.array ?? []).map { "\($0["key"]?.string ?? "?") \($0["code"]?.string ?? "?")" }
    }

    private func faults(_ controller: Controller) -> [String] {
        (controller.status["lanes"]?.array?.first?["faults"]?.array ?? []).compactMap { $0["code"]?.string }
    }

    @Test func aDiskThatDoesNotGiveAKeyIsNoMatterOfRights() throws {
        _ = try remove("gate-signing.key")
        // Readable by its mode; reading it at 0 is an input/output error.
        try FileManager.default.createSymbolicLink(atPath: site.path("gate-signing.key"), withDestinationPath: "/proc/self/mem")
        let controller = try gate()
        defer { controller.stop() }
        #expect(problems(controller) == ["gate.signing-key key-file-unreadable"])
        let message = controller.status["keys"]?.array?.first?["message"]?.string ?? ""
        #expect(message.contains("dmesg") && !message.contains("chmod"))
    }

    @Test func withoutAnyItComesUpAndGrantsNothing() throws {
        let kept = try ["gate-signing.key", "gate-agreement.key", "root.json"].map { ($0, try remove($0)) }
        let controller = try gate()
        defer { controller.stop() }
        #expect(problems(controller) == ["gate.signing-key key-file-missing", "gate.agreement-key key-file-missing",
                                         "trust.root key-file-missing"])
        #expect(faults(controller).contains("gate-key-missing"))
        #expect(controller.status["lanes"]?.array?.first?["indicator"]?.string == "fault")
        #expect(throws: (any Error).self) { try site.publish(to: controller) }
        let phone = try site.phone()
        #expect(controller.present(phone, at: "entry") == .done)
        #expect(events.reasons == ["lane-fault"])
        #expect(phone.reason == nil, "a gate without a key says nothing to a phone")

        for (name, bytes) in kept { try site.write(bytes, name) }
        _ = try controller.reload()
        #expect(problems(controller) == [])
        #expect(!faults(controller).contains("gate-key-missing"))
        try site.publish(to: controller)
        let again = try site.phone()
        _ = controller.present(again, at: "entry")
        #expect(again.reason == .granted)
    }

    @Test func aRootThatNobodyBroughtIsNamedWithItsRemedy() throws {
        _ = try remove("root.json")
        let controller = try gate()
        defer { controller.stop() }
        #expect(problems(controller) == ["trust.root key-file-missing"])
        let message = controller.status["keys"]?.array?.first?["message"]?.string ?? ""
        #expect(message.contains("publish init") && message.contains(site.path("root.json")))
        try site.write([], "root.json")
        _ = try controller.reload()
        #expect(problems(controller) == [])
        // Where it has begun, the gate goes on without the file.
        _ = try remove("root.json")
        _ = try controller.reload()
        #expect(problems(controller) == ["trust.root key-file-missing"])
    }

    @Test func oneOfTwoKeysServesTheMethodsItIsFor() throws {
        _ = try remove("gate-agreement.key")
        let controller = try gate()
        defer { controller.stop() }
        try site.publish(to: controller)
        #expect(problems(controller) == ["gate.agreement-key key-file-missing"])
        #expect(!faults(controller).contains("gate-key-missing"))
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted, "method 0 needs the signing key alone")
    }

    @Test func eachKindOfUselessFileHasItsCode() throws {
        try site.write(KeyFile(role: .gateSigning, material: .signing(site.gateSigning)).publicFile.text(), "gate-signing.key")
        try site.write([0x00], "gate-agreement.key")
        let controller = try gate()
        defer { controller.stop() }
        #expect(problems(controller) == ["gate.signing-key key-file-wrong-half", "gate.agreement-key key-file-armour"])
        try site.write(KeyFile(role: .audit, material: .signing(site.gateSigning)).text(), "gate-signing.key")
        _ = try? controller.reload()
        #expect(problems(controller) == ["gate.signing-key key-file-role", "gate.agreement-key key-file-armour"])
    }

    @Test func aReloadThatWouldLoseAKeyIsRefused() throws {
        let controller = try gate()
        defer { controller.stop() }
        try site.publish(to: controller)
        _ = try remove("gate-signing.key")
        #expect {
            _ = try controller.reload()
        } throws: { error in
            "\(error)".contains("key-file-missing")
        }
        #expect(problems(controller) == [])
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted, "the keys in force stay")
    }

    @Test func aReloadTakesWhatIsThereAndNamesTheRest() throws {
        let signing = try remove("gate-signing.key")
        _ = try remove("gate-agreement.key")
        let controller = try gate()
        defer { controller.stop() }
        try site.write(signing, "gate-signing.key")
        let answer = try controller.reload()
        #expect(answer["warnings"]?.array?.contains { $0.string?.contains("gate.agreement-key: There is no") ?? false } == true)
        #expect(problems(controller) == ["gate.agreement-key key-file-missing"])
        #expect(!faults(controller).contains("gate-key-missing"))
    }
}
