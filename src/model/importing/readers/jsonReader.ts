import { misuse, messageOf } from '../../../base/errors.ts';
import { pastBlanks, pastValue, membersOf, stringOf } from '../../../base/jsonText.ts';
import type { SourceOptions } from '../importOptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import {
  firstPlace,
  maxRowLength,
  type Place,
  type SourceReader,
  type SourceValue,
  type RowFault,
} from '../sourceRow.ts';
import { byteLengthOf } from '../sourceText.ts';
import { TextBlock, markLength, textParts } from './textBlock.ts';

type JsonOptions = Pick<SourceOptions, 'format' | 'encoding'>;

/** The columns are the fields of this many rows. A later row with another field is rejected, so that no value is dropped unseen. */
const rowsForColumns = 1000;

interface FramedRow {
  readonly start: number;
  readonly end: number;
  readonly nextIndex: number;
}

/** Finds the next row at or after an index. Undefined if its end comes in a later text, or if no row follows. */
type FrameRow = (text: string, from: number, isLast: boolean) => FramedRow | undefined;

/**
 * Reads a list of objects, or one object per line. An import continues at a byte of the file, and stream-json does not report
 * at which byte a value ends. So the values are found here. The tests compare the rows with those of stream-json.
 */
export async function openJsonReader(file: SourceFile, options: JsonOptions): Promise<SourceReader> {
  const start = await markLength(file, options.encoding);
  const columns = new Set<string>();
  let count = 0;
  for await (const block of blocksOf(file, options, new Map(), { ...firstPlace, bytes: start })) {
    for (const index of block.rows.keys()) {
      if (count++ < rowsForColumns) for (const name of fieldsOf(block.texts.textOf(index)) ?? []) columns.add(name);
    }
    if (count >= rowsForColumns) break;
  }
  const places = new Map([...columns].map((name, place) => [name, place]));
  return {
    columns: [...columns],
    blocks: from => blocksOf(file, options, places, from.bytes === 0 ? { ...from, bytes: start } : from),
  };
}

async function* blocksOf(
  file: SourceFile,
  { encoding, format }: JsonOptions,
  places: ReadonlyMap<string, number>,
  from: Place,
): AsyncGenerator<TextBlock> {
  let base = from;
  const frames = format === 'ndjson' ? { next: frameLine, isEnded: () => true } : listFrames(base.rows === 0);
  let text = '';
  for await (const part of textParts(file, encoding, base.bytes)) {
    text += part.text;
    const block = new TextBlock(text, base, encoding);
    let at = 0;
    let { line } = base;
    for (let row = frames.next(text, at, part.isLast); row; row = frames.next(text, at, part.isLast)) {
      line += lineFeeds(text, at, row.start);
      const nextLine = line + lineFeeds(text, row.start, row.nextIndex);
      const read = jsonRow(text.slice(row.start, row.end), places);
      if ('fault' in read) block.addFault(read.fault, line, row.start, row.nextIndex, nextLine);
      else block.add({ line, cells: read.cells, strings: read.strings }, row.start, row.nextIndex, nextLine);
      line = nextLine;
      at = row.nextIndex;
    }
    if (text.length - at > maxRowLength) throw rowTooLong(line);
    if (part.isLast && !frames.isEnded()) throw unfinished(line);
    if (block.rows.length > 0) yield block;
    base = {
      rows: base.rows + block.rows.length,
      line,
      bytes: base.bytes + byteLengthOf(text.slice(0, at), encoding),
    };
    text = text.slice(at);
  }
}

/** One object per line. Blank lines are not rows. */
const frameLine: FrameRow = (text, from, isLast) => {
  const start = pastBlanks(text, from);
  if (start === text.length) return undefined;
  const feed = text.indexOf('\n', start);
  if (feed === -1) return isLast ? { start, end: text.length, nextIndex: text.length } : undefined;
  return { start, end: feed, nextIndex: feed + 1 };
};

/** Finds the values of a list. With `isAtBegin`, the text begins with the bracket, otherwise after a value. */
function listFrames(isAtBegin: boolean): { next: FrameRow; isEnded: () => boolean } {
  let isAfterRow = !isAtBegin;
  /** Whether the rest of the text is the closing bracket. The bracket stays in the text until the file ends. */
  let isEnded = false;
  const next: FrameRow = (text, from) => {
    isEnded = false;
    let at = pastBlanks(text, from);
    if (at === text.length) return undefined;
    if (!isAfterRow) {
      if (text[at] !== '[') throw notAList();
      at = pastBlanks(text, at + 1);
    }
    if (text[at] === ']') {
      if (pastBlanks(text, at + 1) < text.length) throw notAList();
      isEnded = true;
      return undefined;
    }
    if (isAfterRow) {
      if (text[at] !== ',') throw notAList();
      at = pastBlanks(text, at + 1);
    }
    const end = at < text.length ? pastValue(text, at) : -1;
    if (end === -1) return undefined;
    // Only a bracket or comma can be here, so the list cannot be read further.
    if (end === at) throw notAList();
    isAfterRow = true;
    return { start: at, end, nextIndex: end };
  };
  return { next, isEnded: () => isEnded };
}

const notAList = (): Error =>
  misuse('not_a_list', 'The file is not one list of JSON objects. For one object per line, choose the format NDJSON.');

const unfinished = (line: number): Error =>
  misuse('unfinished_json', `The list of JSON ends too early, in line ${line}. Rows before that were read.`);

const rowTooLong = (line: number): Error =>
  misuse('row_too_long', `The row in line ${line} has more than ${maxRowLength / 1024 / 1024} million characters.`);

function lineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

type JsonRow =
  { readonly cells: readonly SourceValue[]; readonly strings: readonly number[] } | { readonly fault: RowFault };

/** The fields of an object in their order. Undefined if the text is not an object of JSON. */
function fieldsOf(text: string): string[] | undefined {
  return jsonFault(text) ? undefined : Array.from(membersOf(text), ([name]) => name);
}

/** Reads an object as a row. `places` has the number of each column. A field that is missing is NULL. */
function jsonRow(text: string, places: ReadonlyMap<string, number>): JsonRow {
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
    // The line of the row is reported with it. JSON.parse counts lines within the row.
    return { kind: 'invalidJson', message: messageOf(thrown).replace(/ \(line \d+ column \d+\)$/, '') };
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
