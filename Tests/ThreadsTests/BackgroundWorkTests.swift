import CLinux
import Glibc
import Testing
import Threads

@Suite struct BackgroundWorkTests {
    /// That of the calling thread.
    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test func theWorkIsDoneOnAThreadThatGivesWay() {
        let caller = Self.niceness
        let worker = BackgroundWork.run(name: "import") { Self.niceness }
        #expect(worker >= max(caller, 10))
        #expect(Self.niceness == caller, "the caller keeps its own")
    }
}
