import Gate
import Testing

@Suite("Words that are stored, and shown otherwise") struct StoredWordTests {
    @Test func everyStoredWordIsFoundAgainByTheOneThatIsShown() {
        let stored = PassageFinding.allCases.map(\.rawValue) + AlarmCause.allCases.map(\.rawValue) + InputKind.allCases.map(\.rawValue)
        for word in stored { #expect(StoredWord.stored(StoredWord.shown(word)) == word) }
    }

    @Test func recordsKeepTheWordsThatTheyHaveHadSinceTheFirstVersion() {
        #expect(PassageFinding.allCases.map(\.rawValue) == [
            "passed", "counted", "granted-not-passed", "forced-passage", "reverse-passage", "second-passage", "held", "held-over"
        ])
        #expect([InputKind.requestToExit, .powerFail].map(\.rawValue) == ["exit-request", "mains-fail"])
    }

    @Test func eventsSayTodaysWords() {
        #expect(["granted-not-passed", "forced-passage", "reverse-passage", "second-passage", "passed"].map(StoredWord.shown)
            == ["passage-timeout", "forced-entry", "wrong-way", "tailgating", "passed"])
    }
}
