import Configuration
import Credentials
import PhoneProtocol
import Service

extension GateOffer {
    /// What a lane offers over a carrier, as its settings say.
    package init(_ lane: LaneSettings, gate: String, carrier: Carrier, mode: GateMode) throws(StartError) {
        do throws(GateOfferError) {
            try self.init(gateIdentifier: gate, lane: lane.name, carrier: carrier, mode: mode,
                          methods: lane.methods.compactMap(EDHOCMethod.init(rawValue:)),
                          suites: lane.suites.compactMap(CipherSuite.init(rawValue:)))
        } catch {
            throw StartError(code: error.code, message: "Lane \(lane.name): \(error.message)")
        }
    }
}
