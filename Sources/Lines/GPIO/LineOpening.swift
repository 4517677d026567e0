/// Takes several lines at once and finds those that are asked for twice.
enum LineOpening {
    /// - Parameter taken: the lines that are ours already.
    /// - Returns: each request's line or why it could not be had.
    static func open(_ requests: [LineRequest], besides taken: Set<LineSeat>) -> [LineName: Result<HeldLine, LineError>] {
        var opened: [LineName: Result<HeldLine, LineError>] = [:]
        var found: [(request: LineRequest, place: LineSearch)] = []
        for request in requests {
            do throws(LineError) {
                found.append((request, try LineSearch(request)))
            } catch {
                opened[request.name] = .failure(error)
            }
        }
        let uses = Dictionary(grouping: found, by: \.place.seat).mapValues(\.count)
        for (request, place) in found {
            // Which of the two was meant cannot be known, so none of them is opened.
            let isShared = uses[place.seat, default: 0] > 1 || taken.contains(place.seat)
            opened[request.name] = isShared ? .failure(.requestedTwice(name: request.name)) : take(request, place)
        }
        return opened
    }

    private static func take(_ request: LineRequest, _ place: LineSearch) -> Result<HeldLine, LineError> {
        do throws(LineError) {
            return .success(try HeldLine(request, found: place))
        } catch {
            return .failure(error)
        }
    }
}
