import Threads

/// The strength of links.
extension RadioThread {
    func measure(_ link: RadioLink, _ milliseconds: Int64) {
        guard links.entry(of: link) != nil else { return }
        plan.add(link, every: milliseconds, now: now)
    }

    /// Asks for what is due. A sample that did not come until the next one was due is unknown.
    func askForSignals(_ now: Int64) {
        guard let time = plan.next, now >= time else { return }
        // What was served before this may have taken long (a journal that waits for its disk): answers that came meanwhile count.
        for descriptor in signals.descriptors { takeSignals(descriptor) }
        let due = plan.due(at: now)
        for link in due.missed { client.strength(nil, of: link) }
        for link in due.ask {
            guard let entry = links.entry(of: link), let adapter = entry.adapter, let address = entry.address,
                  signals.ask(address, adapter: adapter)
            else {
                if plan.answered(link) { client.strength(nil, of: link) }
                continue
            }
        }
    }

    func takeSignals(_ descriptor: Int32) {
        for (adapter, answer) in signals.take(descriptor) {
            let entry = links.entries.values.first { $0.adapter == adapter && $0.address == answer.address }
            guard let link = entry?.link, plan.answered(link) else { continue }
            client.strength(answer.dBm, of: link)
        }
    }
}
