import { partitionPoint } from '../../base/partitionPoint.ts';
import { doAtOnce, type Steps } from '../../base/turns.ts';
import { forEachStatement, type Statement, type StatementEnd, StatementScan } from './splitter.ts';

/** `text` replaces the range from `start` to `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit replaced `removedCount` statements from number `first` on by `addedCount` statements. Later statements only moved. */
export interface StatementChange {
  readonly first: number;
  readonly removedCount: number;
  readonly addedCount: number;
}

/** An edit that was not applied yet, with its statements. */
interface PreparedEdit {
  readonly change: StatementChange;
  /** The texts of the added statements. */
  addedTexts(): Iterable<string>;
  /** Applies the edit. There must have been no other edit since it was prepared. */
  commit(): void;
}

interface SplitResult {
  readonly starts: number[];
  readonly ends: number[];
  readonly isLastTerminated: boolean;
  /** The number of the first old statement that stays. Undefined if the split never met the end of an old statement. */
  readonly firstUnchanged: number | undefined;
}

/** Statements that an edit removed up to the end of the text, as an open quote does. Positions count from the end of the text. */
interface RemovedTail {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly isLastTerminated: boolean;
  /** The text has not changed since then in this many characters at its end. */
  readonly unchangedLength: number;
}

/** Splitting fewer statements again takes no longer than finding them in the removed tail. */
const minRemovedTail = 1000;

export type StatementList = Omit<StatementIndex, 'apply' | 'prepare'>;

/** Long enough for the statements around most edits. */
const firstPieceLength = 4096;

/** Splitting this number of characters takes about a millisecond. */
const stepLength = 65_536;

interface EditedText extends TextEdit {
  readonly wholeText: TextChunks;
  readonly removedTail: RemovedTail | undefined;
  /** The number of the first statement that may change. */
  readonly first: number;
  /** The end of the statement before it. */
  readonly pieceStart: number;
}

/**
 * The statements of a text that is being edited. An edit splits the text again from the end of the last whole statement before
 * it, until a statement ends where one ended before the edit. From there on the text and its statements are the same.
 * Statements after an open quote are cached until the quote is closed.
 */
export class StatementIndex {
  readonly statementEnd: StatementEnd;
  #text: TextChunks;
  #starts: number[] = [];
  #ends: number[] = [];
  #isLastTerminated = true;
  #removedTail: RemovedTail | undefined;

  constructor(text: string, statementEnd: StatementEnd = 'semicolon') {
    this.statementEnd = statementEnd;
    this.#text = TextChunks.of(text);
    const visit = (start: number, end: number, terminated: boolean): boolean => {
      this.#starts.push(start);
      this.#ends.push(end);
      this.#isLastTerminated = terminated;
      return true;
    };
    forEachStatement(text, visit, statementEnd);
  }

  get text(): string {
    return this.#text.toString();
  }

  get length(): number {
    return this.#text.length;
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start, end);
  }

  get count(): number {
    return this.#starts.length;
  }

  at(number: number): Statement | undefined {
    const start = this.#starts[number];
    const end = this.#ends[number];
    if (start === undefined || end === undefined) return undefined;
    return { start, end, terminated: number < this.count - 1 || this.#isLastTerminated };
  }

  /** The number of the first statement that ends after `offset`. It is {@link count} if there is none. */
  firstEndingAfter(offset: number): number {
    return partitionPoint(this.#ends, end => end > offset);
  }

  statements(): Statement[] {
    return this.#starts.map((_start, number) => this.at(number)!);
  }

  apply(edit: TextEdit): StatementChange {
    const prepared = doAtOnce(this.prepare(edit));
    prepared.commit();
    return prepared.change;
  }

  /** Finds the statements of an edit in steps. Until the edit is committed, the statements are those before it. */
  *prepare(edit: TextEdit): Steps<PreparedEdit> {
    const { start, end, text } = edit;
    const wholeText = this.#text.replaced(start, end, text);
    const unchangedLength = wholeText.length - start - text.length;
    const touched = Math.min(this.firstEndingAfter(start), this.#terminatedCount);
    // An edit of the blank line after a statement joins it with the next one.
    const first = this.statementEnd === 'blankLine' ? Math.max(0, touched - 1) : touched;
    const pieceStart = first === 0 ? 0 : this.#ends[first - 1]!;
    const removedTail = this.#removedTail && {
      ...this.#removedTail,
      unchangedLength: Math.min(this.#removedTail.unchangedLength, unchangedLength),
    };
    const edited: EditedText = { ...edit, wholeText, removedTail, first, pieceStart };
    let pieceLength = start + text.length - pieceStart + firstPieceLength;
    let result = yield* this.#splitPiece(edited, pieceLength);
    // The split of a piece is right if it meets an old statement. Otherwise a longer piece may split differently.
    while (result.firstUnchanged === undefined && pieceStart + pieceLength < wholeText.length) {
      pieceLength *= 8;
      result = yield* this.#splitPiece(edited, pieceLength);
    }
    const { starts, ends, firstUnchanged = this.count } = result;
    return {
      change: { first, removedCount: firstUnchanged - first, addedCount: starts.length },
      *addedTexts() {
        for (const [number, statementStart] of starts.entries()) {
          yield wholeText.slice(statementStart, ends[number]!);
        }
      },
      commit: () => this.#commit(edited, { ...result, firstUnchanged }),
    };
  }

  get #terminatedCount(): number {
    return this.#isLastTerminated ? this.count : this.count - 1;
  }

  #commit(edited: EditedText, result: SplitResult & { readonly firstUnchanged: number }): void {
    const { start, end, text, wholeText, removedTail, first } = edited;
    const { starts, ends, firstUnchanged } = result;
    this.#text = wholeText;
    this.#removedTail = removedTail;
    if (firstUnchanged === this.count) {
      if (firstUnchanged - first >= minRemovedTail) this.#cacheTail(first, edited);
      this.#isLastTerminated = result.isLastTerminated;
    }
    this.#replace({ first, firstUnchanged, starts, ends, delta: text.length - (end - start) });
  }

  /** Splits a piece of the text until a statement ends where one ended before the edit, or where a removed one did. */
  *#splitPiece(edited: EditedText, pieceLength: number): Steps<SplitResult> {
    const { start, end, text, wholeText, removedTail, first, pieceStart } = edited;
    const piece = wholeText.slice(pieceStart, pieceStart + pieceLength);
    const delta = text.length - (end - start);
    const terminatedCount = this.#terminatedCount;
    const starts: number[] = [];
    const ends: number[] = [];
    let isLastTerminated = true;
    let firstUnchanged: number | undefined;
    let firstOfTail: number | undefined;
    const visit = (statementStart: number, statementEnd: number, terminated: boolean): boolean => {
      starts.push(pieceStart + statementStart);
      ends.push(pieceStart + statementEnd);
      isLastTerminated = terminated;
      const oldEnd = pieceStart + statementEnd - delta;
      if (!terminated || oldEnd < end) return true;
      const old = this.firstEndingAfter(oldEnd) - 1;
      if (old >= first && old < terminatedCount && this.#ends[old] === oldEnd) firstUnchanged = old + 1;
      else firstOfTail = removedAfter(removedTail, wholeText.length - pieceStart - statementEnd);
      return firstUnchanged === undefined && firstOfTail === undefined;
    };
    const scan = new StatementScan(piece, visit, this.statementEnd);
    while (scan.readOn(stepLength)) yield;
    if (firstOfTail === undefined) return { starts, ends, isLastTerminated, firstUnchanged };
    const tail = removedTail!;
    const { length } = wholeText;
    return {
      starts: starts.concat(tail.starts.slice(firstOfTail).map(fromEnd => length - fromEnd)),
      ends: ends.concat(tail.ends.slice(firstOfTail).map(fromEnd => length - fromEnd)),
      isLastTerminated: tail.isLastTerminated,
      firstUnchanged: this.count,
    };
  }

  #cacheTail(first: number, { start, end, text }: TextEdit): void {
    const { length } = this.#text;
    const oldLength = length - text.length + (end - start);
    this.#removedTail = {
      starts: this.#starts.slice(first).map(offset => oldLength - offset),
      ends: this.#ends.slice(first).map(offset => oldLength - offset),
      isLastTerminated: this.#isLastTerminated,
      unchangedLength: length - start - text.length,
    };
  }

  #replace(change: {
    readonly first: number;
    readonly firstUnchanged: number;
    readonly starts: readonly number[];
    readonly ends: readonly number[];
    readonly delta: number;
  }): void {
    const { first, firstUnchanged, starts, ends, delta } = change;
    // If the number of statements stays the same, update the offsets in place.
    if (firstUnchanged - first === starts.length) {
      for (let number = 0; number < starts.length; number++) {
        this.#starts[first + number] = starts[number]!;
        this.#ends[first + number] = ends[number]!;
      }
    } else {
      this.#starts = this.#starts.slice(0, first).concat(starts, this.#starts.slice(firstUnchanged));
      this.#ends = this.#ends.slice(0, first).concat(ends, this.#ends.slice(firstUnchanged));
    }
    if (delta === 0) return;
    for (let number = first + starts.length; number < this.#starts.length; number++) {
      this.#starts[number]! += delta;
      this.#ends[number]! += delta;
    }
  }
}

/**
 * The index of the statement after the removed one that ended `fromEnd` characters before the end of the text. Undefined if
 * none ended there.
 */
function removedAfter(removedTail: RemovedTail | undefined, fromEnd: number): number | undefined {
  if (!removedTail || fromEnd > removedTail.unchangedLength) return undefined;
  const { ends, isLastTerminated } = removedTail;
  const found = partitionPoint(ends, end => end <= fromEnd);
  return ends[found] === fromEnd && (found < ends.length - 1 || isLastTerminated) ? found + 1 : undefined;
}

const chunkLength = 65_536;

/** A text in chunks. An edit copies one chunk instead of ten megabytes, and makes another text that shares the others. */
export class TextChunks {
  readonly #chunks: readonly string[];
  /** Where each chunk starts. */
  readonly #starts: readonly number[];
  readonly length: number;

  private constructor(chunks: readonly string[]) {
    this.#chunks = chunks;
    let length = 0;
    this.#starts = chunks.map(chunk => (length += chunk.length) - chunk.length);
    this.length = length;
  }

  static of(text: string): TextChunks {
    return new TextChunks(splitIntoChunks(text));
  }

  toString(): string {
    return this.#chunks.join('');
  }

  slice(start: number, end: number): string {
    let result = '';
    for (let index = this.#chunkAt(start); index < this.#chunks.length && this.#starts[index]! < end; index++) {
      const offset = this.#starts[index]!;
      result += this.#chunks[index]!.slice(Math.max(0, start - offset), end - offset);
    }
    return result;
  }

  replaced(start: number, end: number, text: string): TextChunks {
    const first = this.#chunkAt(start);
    const last = this.#chunkAt(end);
    const head = (this.#chunks[first] ?? '').slice(0, start - (this.#starts[first] ?? 0));
    const tail = (this.#chunks[last] ?? '').slice(end - (this.#starts[last] ?? 0));
    return new TextChunks([
      ...this.#chunks.slice(0, first),
      ...splitIntoChunks(head + text + tail),
      ...this.#chunks.slice(last + 1),
    ]);
  }

  /** The number of the chunk that contains a position. The end of the text belongs to the last chunk. */
  #chunkAt(position: number): number {
    return Math.max(0, partitionPoint(this.#starts, start => start > position) - 1);
  }
}

function splitIntoChunks(text: string): string[] {
  if (text.length <= 2 * chunkLength) return text === '' ? [] : [text];
  const count = Math.ceil(text.length / chunkLength);
  return Array.from({ length: count }, (_, index) => text.slice(index * chunkLength, (index + 1) * chunkLength));
}

/** The edit that turns one text into another: it replaces everything between their common beginning and end. */
export function textDifference(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let fromEnd = 0;
  while (
    fromEnd < shorter - start &&
    before.charCodeAt(before.length - 1 - fromEnd) === after.charCodeAt(after.length - 1 - fromEnd)
  ) {
    fromEnd++;
  }
  return { start, end: before.length - fromEnd, text: after.slice(start, after.length - fromEnd) };
}

/** A text after edits that do not overlap. */
export function editedText(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + text.slice(end);
}
