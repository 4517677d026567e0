import Threads

/// The strength of links.
extension RadioThread {
    func measure(_ link: RadioLink, _ milliseconds: Int64) {
        guard links.entry(of: link) != nil else { return }
        plan.add(link, every: milliseconds, now: now)
    }

    func stopMeasuring(_ link: RadioLink) {
        plan.remove(link)
        watch(link) { $0.ends(link) }
    }

    /// Asks for what is due. A sample that did not come until the next one was due is unknown.
    func askForSignals(_ now: Int64) {
        guard let time = plan.next, now >= time else { return }
        // What was served before this may have taken long (a journal that waits for its disk): answers that came meanwhile count.
        for descriptor in signals.descriptors { receiveSignals(descriptor) }
        let due = plan.due(at: now)
        for link in due.missed { miss(link, .unanswered) }
        for link in due.ask { ask(link) }
    }

    private func ask(_ link: RadioLink) {
        guard let entry = links.entry(of: link), let adapter = entry.adapter, let address = entry.address else {
            if plan.answered(link) { client.strength(nil, of: link) }
            return
        }
        switch signals.ask(address, adapter: adapter) {
        case .asked: watch(link) { $0.found(link) }
        case .linkEnded:
            watch(link) { $0.hasEnded(link) }
            if plan.answered(link) { client.strength(nil, of: link) }
        case .failed(let fault):
            // bluetoothd has it among the connected still.
            watch(link) { $0.found(link) }
            if plan.answered(link) { miss(link, fault) }
        }
    }

    func receiveSignals(_ descriptor: Int32) {
        guard let hearing = signals.receive(descriptor) else { return }
        for answer in hearing.answers {
            let entry = links.entries.values.first { $0.adapter == hearing.adapter && $0.address == answer.address }
            guard let link = entry?.link, plan.answered(link) else { continue }
            receive(answer.strength, link, hearing.adapter)
        }
        if let fault = hearing.fault, fault.isFinal {
            for (index, machine) in machines.enumerated() where machine.adapterInUse.map({ BluezAdapter(path: $0).index }) == hearing.adapter {
                watches[index].cannotAsk(fault)
            }
        }
    }

    private func receive(_ strength: SignalAnswer.Strength, _ link: RadioLink, _ adapter: UInt16) {
        switch strength {
        case .known(let dBm):
            watch(link) { watch in
                if watch.fault != nil { signals.hasRecovered(adapter) }
                watch.knows(link)
            }
            client.strength(dBm, of: link)
        case .linkEnded:
            watch(link) { $0.hasEnded(link) }
            client.strength(nil, of: link)
        case .missing(let fault): miss(link, fault)
        }
    }

    private func miss(_ link: RadioLink, _ fault: StrengthFault) {
        watch(link) { $0.missed(link, fault) }
        client.strength(nil, of: link)
    }

    private func watch(_ link: RadioLink, _ body: (inout StrengthWatch) -> Void) {
        guard let index = settings.bindings.firstIndex(where: { $0.name == link.radio }) else { return }
        body(&watches[index])
    }

    /// A radio that has come to an adapter and needs to know the strength of links says at once when it cannot.
    func lookAtStrength(_ choices: [AdapterChoice]) {
        for index in machines.indices {
            guard watches[index].uses(machines[index].adapterInUse), settings.bindings[index].wantsStrength,
                  machines[index].adapterInUse != nil, case .found(let adapter) = choices[index], let number = adapter.index,
                  let fault = signals.prepare(number), fault.isFinal else { continue }
            watches[index].cannotAsk(fault)
        }
    }
}
