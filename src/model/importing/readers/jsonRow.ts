import { messageOf } from '../../../base/errors.ts';
import { membersOf, stringOf } from '../../../base/jsonText.ts';
import type { SourceValue, RowFault } from '../sourceRow.ts';

/** The values of a row, or why it has none. */
type JsonRow =
  { readonly cells: readonly SourceValue[]; readonly strings: readonly number[] } | { readonly fault: RowFault };

/** The fields of an object in their order. Undefined if the text is not an object of JSON. */
export function fieldsOf(text: string): string[] | undefined {
  return jsonFault(text) ? undefined : Array.from(membersOf(text), ([name]) => name);
}

/** Reads an object as a row. `places` has the number of each column. A field that is missing is NULL. */
export function jsonRow(text: string, places: ReadonlyMap<string, number>): JsonRow {
  const fault = jsonFault(text);
  if (fault) return { fault };
  const cells: SourceValue[] = Array.from({ length: places.size }, () => null);
  const strings: number[] = [];
  const found = new Set<number>();
  for (const [name, value] of membersOf(text)) {
    const place = places.get(name);
    if (place === undefined) return { fault: { kind: 'unknownField', name } };
    if (found.has(place)) return { fault: { kind: 'repeatedField', name } };
    found.add(place);
    cells[place] = cellOf(value);
    if (value.startsWith('"')) strings.push(place);
  }
  const isWellFormed = cells.every(cell => typeof cell !== 'string' || cell.isWellFormed());
  return isWellFormed ? { cells, strings } : { fault: { kind: 'encoding' } };
}

function jsonFault(text: string): RowFault | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : { kind: 'notAnObject' };
  } catch (thrown) {
    return { kind: 'invalidJson', message: messageOf(thrown) };
  }
}

/** Numbers keep their spelling, so that no digit is lost. A boolean is 1 or 0, as in SQLite. Lists and objects stay JSON. */
function cellOf(value: string): SourceValue {
  switch (value) {
    case 'null':
      return null;
    case 'true':
      return '1';
    case 'false':
      return '0';
    default:
      return value.startsWith('"') ? stringOf(value) : value;
  }
}
