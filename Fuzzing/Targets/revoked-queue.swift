import Encoding
import Invitations

/// No file stops the office. What is taken is bounded, and is written and read again as the same.
func fuzz(_ input: [UInt8]) {
    guard let queue = RevokedQueue(json: input) else { return }
    precondition(queue.revoked.count <= RevokedQueue.mostEntries, "bounded")
    precondition(queue.revoked.allSatisfy { (1...64).contains($0.cti.count) && $0.until >= 0 }, "tokens that can be")
    precondition(RevokedQueue(json: queue.json.canonical) == queue, "the same queue")
}
