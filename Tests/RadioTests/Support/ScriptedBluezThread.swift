import CLinux
import CSystemd
import Files
import Glibc
import Threads
import Waits

@testable import Radio

/// The thread of a scripted bluetoothd, and all that it knows.
final class ScriptedBluezThread {
    /// What it shows: path, interface, property.
    private(set) var objects: [String: [String: [String: BusValue]]] = [:]
    /// How it refuses a method, for ever or until that is taken away.
    var refusals: [String: BusFailure] = [:]
    /// Methods that it leaves unanswered.
    var silent: Set<String> = []

    private let asked: EventLog<ScriptedBluez.Asked>
    private let bell: FileDescriptor
    private let jobs: @Sendable () -> [ScriptedBluez.Job]
    private var bus: BusConnection?
    private var isStopping = false
    private var pending: [UInt64: (ScriptedBluez.Answer) -> Void] = [:]
    /// Who registered an application, and where its characteristic is.
    private var application: (owner: String, characteristic: String)?
    private var advertisements: Set<String> = []

    init(asked: EventLog<ScriptedBluez.Asked>, bell: FileDescriptor, jobs: @escaping @Sendable () -> [ScriptedBluez.Job]) {
        self.asked = asked
        self.bell = bell
        self.jobs = jobs
    }

    func run(_ address: String, _ name: String, _ prepare: (ScriptedBluezThread) -> Void, hasName: @escaping () -> Void) {
        prepare(self)
        guard let bus = try? BusConnection(address: address) else { return }
        self.bus = bus
        call(BusName.bus, BusName.busPath, BusName.bus, "RequestName", [.string(name), .uint32(0)]) { _ in hasName() }
        while !isStopping {
            while let message = try? bus.next() { serve(message) }
            let patience: Int32 = bus.deadline.map { Int32(clamping: max(0, $0 - MonotonicTime.milliseconds)) } ?? -1
            var ready = [pollfd(fd: bus.descriptor, events: Int16(bus.events), revents: 0), pollfd(fd: bell.raw, events: 1, revents: 0)]
            poll(&ready, 2, patience)
            _ = clinux_eventfd_clear(bell.raw)
            for job in jobs() { job.body(self) }
        }
        self.bus = nil
    }

    func stop() { isStopping = true }

    // What it shows -----------------------------------------------------------------------------

    static func address(_ phone: String) -> String {
        phone.split(separator: "/").last?.dropFirst(4).split(separator: "_").joined(separator: ":") ?? ""
    }

    /// An adapter as bluetoothd shows one that works.
    func addAdapter(_ path: String = ScriptedBluez.hci0, address: String = "00:1A:7D:DA:71:13", isPowered: Bool = true,
                    roles: [String] = ["central", "peripheral"]) {
        add(path, BluezName.adapter, [("Address", .string(address)), ("Powered", .bool(isPowered)), ("Roles", .strings(roles))])
        add(path, BluezName.applications, [])
        add(path, BluezName.advertisements, [])
    }

    /// As systemd shows how it starts bluetoothd.
    func addCommand(_ arguments: [String]) {
        let zeros = [BusValue](repeating: .uint64(0), count: 4) + [.uint32(0), .int32(0), .int32(0)]
        let command = BusValue.structure([.string(arguments.first ?? ""), .strings(arguments), .bool(false)] + zeros)
        add("/org/freedesktop/systemd1/unit/bluetooth_2eservice", "org.freedesktop.systemd1.Service",
            [("ExecStart", .array(of: "(sasbttttuii)", [command]))])
    }

    func add(_ path: String, _ interface: String, _ properties: [(String, BusValue)]) {
        objects[path, default: [:]][interface] = Dictionary(uniqueKeysWithValues: properties)
        let shown = BusValue.dictionary(of: "sa{sv}", [BusEntry(key: .string(interface), value: .properties(properties))])
        emit("/", BusName.objects, "InterfacesAdded", [.path(path), shown])
    }

    func remove(_ path: String) {
        let interfaces = objects.removeValue(forKey: path)?.keys.sorted() ?? []
        if interfaces.contains(BluezName.adapter) { (application, advertisements) = (nil, []) }
        emit("/", BusName.objects, "InterfacesRemoved", [.path(path), .strings(interfaces)])
    }

    func set(_ path: String, _ interface: String, _ property: String, _ value: BusValue) {
        objects[path]?[interface]?[property] = value
        emit(path, BusName.properties, "PropertiesChanged", [.string(interface), .properties([(property, value)]), .strings([])])
    }

    /// As it tells the owner of an advertisement that it is none any more.
    func release() {
        guard let owner = application?.owner, let path = advertisements.first else { return }
        advertisements = []
        call(owner, path, BluezName.advertisement, "Release", []) { _ in }
    }

    /// The unique name of who registered an application.
    var applicationOwner: String? { application?.owner }

    // What it calls -----------------------------------------------------------------------------

    func options(_ phone: String, _ offset: UInt16) -> BusValue {
        .properties([("device", .path(phone)), ("link", .string("LE")), ("mtu", .uint16(517))]
            + (offset == 0 ? [] : [("offset", .uint16(offset))]))
    }

    func callCharacteristic(_ member: String, _ body: [BusValue], _ answer: @escaping @Sendable (ScriptedBluez.Answer) -> Void) {
        guard let application else { return answer(.failure(BusFailure(name: "no application", text: ""))) }
        call(application.owner, application.characteristic, BluezName.characteristic, member, body, answer)
    }

    func call(_ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue],
              _ answer: @escaping (ScriptedBluez.Answer) -> Void) {
        guard let number = try? bus?.call(destination, path, interface, member, body) else { return }
        pending[number] = answer
    }

    func emit(_ path: String, _ interface: String, _ member: String, _ body: [BusValue]) {
        guard let bus else { return }
        var message: OpaquePointer?
        sd_bus_message_new_signal(bus.raw, &message, path, interface, member)
        guard let message else { return }
        try? BusWriter(message).write(body)
        sd_bus_send(bus.raw, message, nil)
        sd_bus_message_unref(message)
    }

    // What it is asked --------------------------------------------------------------------------

    private func serve(_ message: BusMessage) {
        switch message.kind {
        case .signal: return
        case .answer: pending.removeValue(forKey: message.answers ?? 0)?(.success((try? message.body()) ?? []))
        case .failure(let failure): pending.removeValue(forKey: message.answers ?? 0)?(.failure(failure))
        case .call: serveCall(message, (try? message.body()) ?? [])
        }
    }

    private func serveCall(_ message: BusMessage, _ body: [BusValue]) {
        if silent.contains(message.member) { return }
        if let refusal = refusals[message.member] {
            asked.record(.called(message.member, path: message.path, body.compactMap(\.text)))
            return answer(message, .failure(refusal))
        }
        switch message.member {
        case "GetManagedObjects": answer(message, .success([managed]))
        case "Set":
            asked.record(.pairable(adapter: message.path, body.last?.flag ?? true))
            answer(message, .success([]))
        case "RegisterApplication": registerApplication(message, body.first?.text ?? "")
        case "RegisterAdvertisement": registerAdvertisement(message, body.first?.text ?? "")
        case "UnregisterAdvertisement":
            asked.record(.advertisementUnregistered(adapter: message.path))
            let wasThere = advertisements.remove(body.first?.text ?? "") != nil
            answer(message, wasThere ? .success([]) : .failure(BusFailure(name: "org.bluez.Error.DoesNotExist", text: "Does Not Exist")))
        case "Disconnect":
            asked.record(.disconnect(device: message.path))
            answer(message, .success([]))
            set(message.path, BluezName.device, "Connected", .bool(false))
        default:
            asked.record(.called(message.member, path: message.path, body.compactMap(\.text)))
            let property = objects[message.path]?[body.first?.text ?? ""]?[body.last?.text ?? ""]
            answer(message, .success(property.map { [.variant($0)] } ?? []))
        }
    }

    private func registerApplication(_ message: BusMessage, _ root: String) {
        guard application == nil else { return answer(message, .failure(BusFailure(name: BluezName.alreadyExists, text: "Already Exists"))) }
        inspect(message.sender, root) { [self] objects in
            let characteristic = objects?.entries?.first { $0.value[BluezName.characteristic] != nil }?.key.text
            application = (message.sender, characteristic ?? "")
            asked.record(.applicationRegistered(adapter: message.path, Self.shown(objects)))
            answer(message, .success([]))
        }
    }

    private func registerAdvertisement(_ message: BusMessage, _ path: String) {
        guard advertisements.insert(path).inserted else {
            return answer(message, .failure(BusFailure(name: BluezName.alreadyExists, text: "Already Exists")))
        }
        inspect(message.sender, path) { [self] objects in
            asked.record(.advertisementRegistered(adapter: message.path, Self.shown(objects)))
            answer(message, .success([]))
        }
    }

    /// What the other shows of its objects.
    private func inspect(_ owner: String, _ root: String, _ then: @escaping (BusValue?) -> Void) {
        call(owner, root, BusName.objects, "GetManagedObjects", []) { answer in
            if case .success(let body) = answer { then(body.first) } else { then(nil) }
        }
    }

    private static func shown(_ objects: BusValue?) -> ScriptedBluez.Shown {
        var shown: ScriptedBluez.Shown = [:]
        for object in objects?.entries ?? [] {
            for interface in object.value.entries ?? [] {
                for property in interface.value.entries ?? [] {
                    let name = "\(interface.key.text?.split(separator: ".").last ?? "").\(property.key.text ?? "")"
                    shown[name] = property.value.text ?? property.value.flag.map { "\($0)" } ?? property.value.texts?.joined(separator: " ")
                }
            }
        }
        return shown
    }

    private var managed: BusValue {
        .dictionary(of: "oa{sa{sv}}", objects.map { path, interfaces in
            BusEntry(key: .path(path), value: .dictionary(of: "sa{sv}", interfaces.map { name, properties in
                BusEntry(key: .string(name), value: .properties(properties.map { ($0.key, $0.value) }))
            }))
        })
    }

    private func answer(_ message: BusMessage, _ answer: ScriptedBluez.Answer) {
        switch answer {
        case .success(let body): try? message.reply(body)
        case .failure(let failure): try? message.fail(failure)
        }
    }
}
