import Testing
import Threads
import Waits

@Suite("Values handed from thread to thread")
struct ChannelTests {
    @Test(arguments: [1, 2, 7])
    func allComeInTheirOrderAndThenTheEnd(most: Int) throws {
        let channel = Channel<Int>(most: most)
        let sender = try Worker(name: "sender") {
            for number in 0..<1000 { channel.send(number) }
            channel.close()
        }
        let taken = try inTime("the channel's end") {
            var taken: [Int] = []
            while let number = channel.next() { taken.append(number) }
            return taken
        }
        try sender.waitForEnd()
        #expect(taken == Array(0..<1000))
        #expect(try inTime("the channel's end, asked again") { channel.next() } == nil)
    }

    @Test func whoeverSendsIsNeverFurtherAheadThanTheBound() throws {
        let channel = Channel<Int>(most: 3)
        let sent = Monitor(0)
        let sender = try Worker(name: "sender") {
            while channel.send(0) { sent.change { $0 += 1 } }
        }
        let most = try inTime("a hundred values") {
            var most = 0
            for taken in 0..<100 {
                _ = channel.next()
                // One is on its way out of the call at most.
                most = max(most, sent.withLock { $0 } - taken)
            }
            return most
        }
        channel.abandon()
        try sender.waitForEnd()
        #expect(most <= 4)
    }

    @Test func whoeverWaitsForRoomIsToldThatNobodyTakesAnyMore() throws {
        let channel = Channel<Int>(most: 1)
        let answers = Monitor<[Bool]>([])
        let sender = try Worker(name: "sender") {
            for number in 0..<3 {
                let isTaken = channel.send(number)
                answers.change { $0.append(isTaken) }
            }
        }
        try answers.wait(for: "the first value to be taken") { $0 == [true] ? () : nil }
        channel.abandon()
        try sender.waitForEnd()
        #expect(answers.withLock { $0 } == [true, false, false])
    }
}
