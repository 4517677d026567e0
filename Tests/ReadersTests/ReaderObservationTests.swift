import Testing

@testable import Readers

/// State words as pcsc-lite gives them: 0x10 empty, 0x20 present, 0x02 changed, upper half counts.
@Suite struct ReaderObservationTests {
    private func changes(_ words: [UInt]) -> [ReaderObservation.Change] {
        var observation = ReaderObservation(pcscName: "reader")
        return words.map { word in
            observation.update(word)
            return observation.change
        }
    }

    @Test func theFirstLookSaysWhatIsThere() {
        #expect(changes([0x0000_0012]) == [.empty])
        #expect(changes([0x0001_0022]) == [.present])
    }

    @Test func aCardComesAndGoes() {
        #expect(changes([0x0000_0012, 0x0001_0022, 0x0002_0012]) == [.empty, .present, .empty])
    }

    @Test func aCardThatLeftAndCameBetweenTwoLooksIsSeen() {
        #expect(changes([0x0001_0022, 0x0003_0022]) == [.present, .flickered])
    }

    @Test func ourOwnExclusiveUseIsNoChangeOfTheField() {
        #expect(changes([0x0001_0022, 0x0001_00A2, 0x0001_0122, 0x0001_0022]) == [.present, .none, .none, .none])
    }

    @Test func aReaderThatVanishedHasAnEmptyField() {
        #expect(changes([0x0001_0022, 0x0000_000E]) == [.present, .empty])
    }

    /// A reset of a card that is not there any more: "empty", and nobody counted. The count decides.
    @Test func aCardIsGoneWhenItsLeavingIsCounted() {
        #expect(changes([0x0001_0022, 0x0001_0012, 0x0002_0012]) == [.present, .none, .empty])
        #expect(changes([0x0001_0022, 0x0001_0012, 0x0003_0022]) == [.present, .none, .flickered])
        #expect(changes([0x0001_0022, 0x0001_0012, 0x0001_0022]) == [.present, .none, .none])
    }

    @Test func aCardThatLayThereWhenPcscdStartedIsGoneWhenItsLeavingIsCounted() {
        #expect(changes([0x0000_0022, 0x0000_0012, 0x0001_0012]) == [.present, .none, .empty])
    }

    /// A reset found it, and it left before pcscd's next look.
    @Test func aCardIsThereWhenItsComingIsCounted() {
        #expect(changes([0x0001_0012, 0x0001_0022, 0x0002_0022]) == [.empty, .none, .present])
        #expect(changes([0x0001_0022, 0x0002_0012, 0x0002_0022]) == [.present, .empty, .none])
        #expect(changes([0x0001_0022, 0x0000_000E, 0x0001_0022]) == [.present, .empty, .present])
    }

    /// What the reader's thread found by itself leaves again before this one saw it.
    @Test func aLeavingThatIsCountedIsToldOfAnEmptyReaderToo() {
        #expect(changes([0x0001_0012, 0x0002_0012]) == [.empty, .empty])
    }

    @Test func whatChangedIsNotFedBack() {
        var observation = ReaderObservation(pcscName: "reader")
        observation.update(0x0001_0022)
        #expect(observation.state == 0x0001_0020)
    }
}
