/// Our own name of a reader, as the configuration gives it ("entry", "exit"). Never the name that
/// PC/SC made up: that one carries an index.
public typealias ReaderName = String
