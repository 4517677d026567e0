import Glibc
import Testing
import Threads

@Suite("Errors of the system")
struct SystemErrorTests {
    @Test("They say what was attempted and why it failed, whatever the sign of the errno")
    func words() {
        let missing = SystemError("open x", -ENOENT)
        #expect(missing == SystemError("open x", ENOENT))
        #expect(missing.message == "open x: No such file or directory.")
        #expect(missing.code == "system-call-failed")
        #expect(SystemError.words(for: 9999) == "unknown error")
    }

    @Test("A negative answer is an error, any other is passed on")
    func check() throws {
        #expect(try SystemError.check(7, "ask") == 7)
        #expect(throws: SystemError("ask", EINVAL)) { try SystemError.check(-EINVAL, "ask") }
    }
}
