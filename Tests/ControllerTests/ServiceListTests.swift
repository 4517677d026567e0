import Service
import Testing
import Threads
@testable import Controller

/// One ordered list of services: started in order, stopped in reverse, each failure named.
@Suite struct ServiceListTests {
    private let diary = Monitor<[String]>([])
    private let logged = Monitor<[String]>([])

    private func service(_ name: String, fails: Bool = false) -> GateService {
        GateService(name, start: { [diary] () throws(StartError) in
            diary.change { $0.append("start \(name)") }
            if fails { throw StartError(code: "no-\(name)", message: "It is not there.") }
        }, rest: { [diary] in diary.change { $0.append("rest \(name)") } }, end: { [diary] in diary.change { $0.append("end \(name)") } })
    }

    private func list(_ services: [GateService], _ output: LogOutput? = nil) throws -> ServiceList {
        ServiceList(services: services, log: try (output ?? LogOutput(LogSettings()) { _ in }).log("service"))
    }

    private var steps: [String] { diary.withLock { $0 } }

    @Test func everythingIsAtRestBeforeAnythingEnds() throws {
        let list = try list([service("lines"), service("lanes"), service("readers")])
        try list.start()
        var told: [String] = []
        list.stop { told.append($0) }
        #expect(steps == ["start lines", "start lanes", "start readers", "rest readers", "rest lanes", "rest lines",
                          "end readers", "end lanes", "end lines"])
        #expect(told.first == "readers comes to rest" && told.last == "lines ends")
    }

    @Test func oneThatDoesNotStartStopsTheOthersAndIsNamed() throws {
        let output = try LogOutput(LogSettings()) { [logged] entry in logged.change { $0.append(entry.text) } }
        let list = try list([service("lines"), service("lanes", fails: true), service("readers")], output)
        #expect(throws: StartError(code: "no-lanes", message: "")) { try list.start() }
        #expect(steps.prefix(2) == ["start lines", "start lanes"] && !steps.contains("start readers"))
        #expect(steps.contains("rest lines") && steps.last == "end lines")
        output.stop()
        #expect(logged.withLock { $0 } == ["service-not-started: lanes: no-lanes: It is not there."])
    }
}
