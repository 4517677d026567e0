/// Who hears what happens at a virtual PN532.
struct PN532Listeners: Sendable {
    let onAir: VirtualPN532.OnAir
    let onCard: VirtualPN532.OnCard

    func tell(_ records: [AirRecord], _ events: [CardEvent]) {
        for record in records { onAir(record) }
        for event in events { onCard(event) }
    }
}
