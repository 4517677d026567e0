/// Our own name of a line ("entry-relay"), as the configuration gives it.
public typealias LineName = String
