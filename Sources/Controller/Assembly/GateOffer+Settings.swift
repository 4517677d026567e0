import Configuration
import Conversations

extension GateOffer {
    /// What a lane offers over NFC, as its settings say.
    init(_ lane: LaneSettings, gate: String) throws(StartError) {
        do throws(GateOfferError) {
            try self.init(gateIdentifier: gate, lane: lane.name, carrier: .nfc, mode: lane.passage.automatic ? .onTouch : .classic,
                          methods: lane.methods.compactMap(EDHOCMethod.init(rawValue:)),
                          suites: lane.suites.compactMap(CipherSuite.init(rawValue:)))
        } catch {
            throw StartError(code: error.code, message: "Lane \(lane.name): \(error.message)")
        }
    }
}
