"""Just enough CBOR (RFC 8949) to read the bodies of journal records, by other means than the product's own."""


def decode(data):
    """The one item in `data`."""
    item, rest = _item(memoryview(data))
    if rest:
        raise ValueError("bytes after the item")
    return item


def _item(data):
    major, short = data[0] >> 5, data[0] & 31
    if short < 24:
        value, data = short, data[1:]
    elif short < 28:
        size = 1 << (short - 24)
        value, data = int.from_bytes(data[1:1 + size], "big"), data[1 + size:]
    else:
        raise ValueError("no length")
    if major == 0:
        return value, data
    if major == 1:
        return -1 - value, data
    if major in (2, 3):
        content = bytes(data[:value])
        return content if major == 2 else content.decode(), data[value:]
    if major == 4:
        items = []
        for _ in range(value):
            item, data = _item(data)
            items.append(item)
        return items, data
    if major == 5:
        pairs = {}
        for _ in range(value):
            key, data = _item(data)
            pairs[key], data = _item(data)
        return pairs, data
    if major == 7 and short in (20, 21, 22):
        return {20: False, 21: True, 22: None}[short], data
    raise ValueError(f"major type {major}")
