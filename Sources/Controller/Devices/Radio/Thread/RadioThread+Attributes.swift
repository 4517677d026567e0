import Threads

/// What bluetoothd asks of our objects in the name of phones.
extension RadioThread {
    /// A call of somebody's. Only bluetoothd may.
    func serveCall(_ message: BusMessage) {
        guard message.sender == owner else { return fail(message, .accessDenied) }
        guard let radio = shown.firstIndex(where: { message.path == $0.root || message.path.hasPrefix($0.root + "/") }) else {
            return fail(message, .unknownMethod)
        }
        let objects = shown[radio]
        switch (message.interface, message.member) {
        case (BusName.objects, "GetManagedObjects"): reply(message, objects.managed(at: message.path))
        case (BusName.properties, "GetAll"): reply(message, properties(message, objects))
        case (BusName.properties, "Get"): reply(message, property(message, objects))
        case (BluezName.characteristic, "WriteValue") where message.path == objects.characteristic: write(message, radio)
        case (BluezName.characteristic, "ReadValue") where message.path == objects.characteristic: read(message, radio)
        case (BluezName.advertisement, "Release") where message.path == objects.advertisement:
            attempt { () throws(SystemError) in try message.reply() }
            perform(machines[radio].released(now: now), radio: radio)
        default: fail(message, .unknownMethod)
        }
    }

    private func properties(_ message: BusMessage, _ objects: RadioObjects) -> BusValue? {
        guard let interface = arguments(message, 1)?[0].text else { return nil }
        return objects.properties(at: message.path, interface)
    }

    private func property(_ message: BusMessage, _ objects: RadioObjects) -> BusValue? {
        guard let arguments = arguments(message, 2), let interface = arguments[0].text, let name = arguments[1].text else { return nil }
        return objects.properties(at: message.path, interface)?[name]
    }

    // Values ------------------------------------------------------------------------------------

    private func write(_ message: BusMessage, _ radio: Int) {
        guard let arguments = arguments(message, 2), let value = arguments[0].octets else { return fail(message, .invalidArguments) }
        guard let options = AttributeOptions(arguments[1]), let link = link(options, radio) else { return fail(message, .notSupported) }
        guard options.offset == 0 else { return fail(message, .invalidOffset) }
        guard value.count <= Radios.longestValue else { return fail(message, .invalidLength) }
        // What was being read is not the answer to this.
        reads.end(link)
        lastCall += 1
        let answer = WriteAnswer { [mailbox, lastCall] in mailbox.leave(.answer(call: lastCall, $0)) }
        guard writes.add(answer, link) else { return fail(message, .attribute(0x80)) }
        calls[lastCall] = message
        client.wrote(value, on: link, answer: answer)
    }

    /// Gives an answer; where the phone has gone there is nobody to have it.
    func answer(_ call: UInt64, _ verdict: WriteAnswer.Verdict) {
        guard let message = calls.removeValue(forKey: call) else { return }
        switch verdict {
        case .accepted: attempt { () throws(SystemError) in try message.reply() }
        case .refused(let error): fail(message, .attribute(error))
        }
    }

    private func read(_ message: BusMessage, _ radio: Int) {
        guard let options = AttributeOptions(arguments(message, 1)?[0]), let link = link(options, radio) else {
            return fail(message, .notSupported)
        }
        if options.offset == 0 {
            switch client.read(on: link) {
            case .value(let value): reads.begin(value, link)
            case .refused(let error):
                reads.end(link)
                return fail(message, .attribute(error))
            }
        }
        guard let rest = reads.rest(at: options.offset, link) else { return fail(message, .invalidOffset) }
        attempt { () throws(SystemError) in try message.reply([.bytes(rest)]) }
    }

    /// The link of who asks. bluetoothd may tell that a phone has connected after what the phone has asked for.
    private func link(_ options: AttributeOptions, _ radio: Int) -> RadioLink? {
        if links.link(of: options.device) == nil {
            objects.isHeard(options.device)
            look()
        }
        guard let link = links.link(of: options.device), link.radio == settings.bindings[radio].name else { return nil }
        return link
    }

    /// Ends a link. A bluetoothd that hangs would have all that it was told to do when it goes on; the client tells again.
    func drop(_ link: RadioLink) {
        if case .silent = standing { return }
        guard let entry = links.entry(of: link) else { return }
        hangUp(entry)
    }

    func hangUp(_ entry: LinkTable.Entry) {
        guard let owner else { return }
        call(.drop(entry.link), owner, entry.device, BluezName.device, "Disconnect")
    }

    // Answers -----------------------------------------------------------------------------------

    private func arguments(_ message: BusMessage, _ count: Int) -> [BusValue]? {
        guard let body = try? message.body(), body.count == count else { return nil }
        return body
    }

    /// Nil: there is no such thing here.
    private func reply(_ message: BusMessage, _ value: BusValue?) {
        guard let value else { return fail(message, .invalidArguments) }
        attempt { () throws(SystemError) in try message.reply([value]) }
    }

    private func fail(_ message: BusMessage, _ failure: BusFailure) {
        attempt { () throws(SystemError) in try message.fail(failure) }
    }
}
