import { cutStatements, type Statement } from './splitter.ts';
import { TextChunks } from './textChunks.ts';

/** `text` takes the place of what stands between `start` and `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The statements from number `first` on that went and how many came. Those behind them only moved. */
export interface StatementChange {
  readonly first: number;
  readonly removed: number;
  readonly added: number;
}

interface Cut {
  readonly starts: number[];
  readonly ends: number[];
  readonly lastIsTerminated: boolean;
  /** The first of the old statements that stays, when the cut came in step with them. */
  readonly resume: number | undefined;
}

/** The statements up to the end of the text that an edit took away, as one quote does, with how far from the end they are. */
interface Lost {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly lastIsTerminated: boolean;
  /** How much of the text's end is still what it was. */
  readonly sameLength: number;
}

/** Fewer are as quickly cut again as looked for. */
const fewestLost = 1000;

/** The statements, for who does not edit the text. */
export type StatementList = Omit<StatementIndex, 'apply'>;

/** Enough for the statements around most edits. */
const firstWindow = 4096;

/**
 * The statements of a text that is being edited. An edit is cut again from the end of the last whole statement before it,
 * where nothing behind can change what was read, until a statement ends where one ended before: from there on the text is
 * the same and so are its statements. What a quote took away is kept until the quote is closed.
 */
export class StatementIndex {
  readonly #text: TextChunks;
  #starts: number[] = [];
  #ends: number[] = [];
  #lastIsTerminated = true;
  #lost: Lost | undefined;

  constructor(text: string) {
    this.#text = new TextChunks(text);
    cutStatements(text, 0, (start, end, terminated) => {
      this.#starts.push(start);
      this.#ends.push(end);
      this.#lastIsTerminated = terminated;
      return true;
    });
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
    return { start, end, terminated: number < this.count - 1 || this.#lastIsTerminated };
  }

  /** The number of the first statement that ends behind `offset`; {@link count} when none does. */
  firstBehind(offset: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ends[middle]! > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  statements(): Statement[] {
    return this.#starts.map((_start, number) => this.at(number)!);
  }

  apply(edit: TextEdit): StatementChange {
    const { start, end, text } = edit;
    const delta = text.length - (end - start);
    this.#text.replace(start, end, text);
    const sameLength = this.#text.length - start - text.length;
    if (this.#lost && this.#lost.sameLength > sameLength) this.#lost = { ...this.#lost, sameLength };
    const first = Math.min(this.firstBehind(start), this.#wholeCount);
    const from = first === 0 ? 0 : this.#ends[first - 1]!;
    let length = start + text.length - from + firstWindow;
    let cut = this.#cutAgain(edit, first, this.#text.slice(from, from + length), from);
    // What a piece of the text says until it ends in a whole statement holds for the whole text. Else take a larger one.
    while (cut.resume === undefined && from + length < this.#text.length) {
      length *= 8;
      cut = this.#cutAgain(edit, first, this.#text.slice(from, from + length), from);
    }
    const { starts, ends, resume = this.count } = cut;
    if (resume === this.count) {
      if (resume - first >= fewestLost) this.#lose(first, edit);
      this.#lastIsTerminated = cut.lastIsTerminated;
    }
    this.#replace({ first, resume, starts, ends, delta });
    return { first, removed: resume - first, added: starts.length };
  }

  /** How many statements a semicolon ends: all, or all but the last. */
  get #wholeCount(): number {
    return this.#lastIsTerminated ? this.count : this.count - 1;
  }

  /** Cuts `piece`, which begins at `offset`, until it is in step with the statements before the edit. */
  #cutAgain({ start, end, text }: TextEdit, first: number, piece: string, offset: number): Cut {
    const delta = text.length - (end - start);
    const wholeCount = this.#wholeCount;
    const starts: number[] = [];
    const ends: number[] = [];
    let lastIsTerminated = true;
    let resume: number | undefined;
    let found: number | undefined;
    cutStatements(piece, 0, (from, to, terminated) => {
      starts.push(offset + from);
      ends.push(offset + to);
      lastIsTerminated = terminated;
      const oldEnd = offset + to - delta;
      if (!terminated || oldEnd < end) return true;
      const old = this.firstBehind(oldEnd) - 1;
      if (old >= first && old < wholeCount && this.#ends[old] === oldEnd) resume = old + 1;
      else found = this.#lostBehind(offset + to);
      return resume === undefined && found === undefined;
    });
    if (found === undefined) return { starts, ends, lastIsTerminated, resume };
    const lost = this.#lost!;
    const { length } = this.#text;
    return {
      starts: starts.concat(lost.starts.slice(found).map(fromEnd => length - fromEnd)),
      ends: ends.concat(lost.ends.slice(found).map(fromEnd => length - fromEnd)),
      lastIsTerminated: lost.lastIsTerminated,
      resume: this.count,
    };
  }

  #lose(first: number, { start, end, text }: TextEdit): void {
    const { length } = this.#text;
    const oldLength = length - text.length + (end - start);
    this.#lost = {
      starts: this.#starts.slice(first).map(offset => oldLength - offset),
      ends: this.#ends.slice(first).map(offset => oldLength - offset),
      lastIsTerminated: this.#lastIsTerminated,
      sameLength: length - start - text.length,
    };
  }

  /** The number of the lost statement that follows, when one that was lost ended here. */
  #lostBehind(offset: number): number | undefined {
    const fromEnd = this.#text.length - offset;
    if (!this.#lost || fromEnd > this.#lost.sameLength) return undefined;
    const { ends, lastIsTerminated } = this.#lost;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle]! <= fromEnd) high = middle;
      else low = middle + 1;
    }
    return ends[low] === fromEnd && (low < ends.length - 1 || lastIsTerminated) ? low + 1 : undefined;
  }

  #replace(change: { first: number; resume: number; starts: number[]; ends: number[]; delta: number }): void {
    const { first, resume, starts, ends, delta } = change;
    if (resume - first === starts.length) {
      for (let number = 0; number < starts.length; number++) {
        this.#starts[first + number] = starts[number]!;
        this.#ends[first + number] = ends[number]!;
      }
    } else {
      this.#starts = this.#starts.slice(0, first).concat(starts, this.#starts.slice(resume));
      this.#ends = this.#ends.slice(0, first).concat(ends, this.#ends.slice(resume));
    }
    if (delta === 0) return;
    for (let number = first + starts.length; number < this.#starts.length; number++) {
      this.#starts[number]! += delta;
      this.#ends[number]! += delta;
    }
  }
}
