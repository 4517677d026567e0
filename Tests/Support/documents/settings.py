"""Fragments of a configuration, put into a whole one."""

import copy
import json


def merged(whole, fragment):
    """`whole` with what `fragment` changes. A lane or reader is found by its name, or is the first one; how a
    reader is matched is replaced, because it is matched in one way."""
    result = copy.deepcopy(whole)
    for key, value in fragment.items():
        if key in ("lane", "reader") and not isinstance(value, str):
            for entry in value if isinstance(value, list) else [value]:
                _merge_entry(result[key], entry)
        elif isinstance(value, dict):
            result[key] = merged(result.get(key, {}), value)
        else:
            result[key] = value
    return result


def _merge_entry(entries, entry):
    for place, known in enumerate(entries):
        if entry.get("name", known["name"]) == known["name"]:
            if "match" in entry:
                known = {**known, "match": {}}
            entries[place] = merged(known, entry)
            return
    entries.append(entry)


def written(table, path=()):
    """A table as TOML text: of the kinds of values that a configuration has."""
    own = {key: value for key, value in table.items() if not isinstance(value, dict) and not _is_list_of_tables(value)}
    text = "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in own.items())
    for key, value in table.items():
        inner = (*path, key)
        if isinstance(value, dict):
            text += f"\n[{'.'.join(inner)}]\n" + written(value, inner)
        elif _is_list_of_tables(value):
            text += "".join(f"\n[[{'.'.join(inner)}]]\n" + written(entry, inner) for entry in value)
    return text


def _is_list_of_tables(value):
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)
