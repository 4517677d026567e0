import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("Indicator layers: what is, and what has just happened (L2)") struct IndicatorLayersTests {
    @Test func theTemporaryLayerCoversThePermanentOne() {
        var layers = IndicatorLayers(permanent: .ready, since: at(5))
        layers.show(.denied, from: at(100), until: at(1100))
        #expect(layers.shownSignal == ShownSignal(.denied, since: at(100)))
        layers.setPermanent(.fault, since: at(200))
        #expect(layers.shown == .denied)
        layers.advance(to: at(1099))
        #expect(layers.shown == .denied)
        layers.advance(to: at(1100))
        #expect(layers.shownSignal == ShownSignal(.fault, since: at(200)), "it goes on where it would be")
    }

    @Test func aSecondRefusalBeginsAgain() {
        var layers = IndicatorLayers(permanent: .ready)
        layers.show(.denied, from: at(100), until: at(1100))
        layers.show(.denied, from: at(700), until: at(1700))
        #expect(layers.shownSignal == ShownSignal(.denied, since: at(700)))
        #expect(layers.ends == at(1700))
    }

    @Test func aPermanentSignalThatIsSetAgainGoesOn() {
        var layers = IndicatorLayers(permanent: .closed, since: at(5))
        layers.setPermanent(.closed, since: at(700))
        #expect(layers.shownSignal == ShownSignal(.closed, since: at(5)))
    }
}
