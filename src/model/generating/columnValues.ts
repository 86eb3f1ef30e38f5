import type { ColumnLimits } from '../../sql/checks/columnLimits.ts';
import type { EditableColumn } from '../catalog/editableTable.ts';
import type { SourceValue } from '../importing/sourceRow.ts';
import { closedIntegers, numberRangeOf } from './numberValues.ts';
import type { RowRandom } from './random.ts';
import { fittedText, numberedText, textsFor } from './textValues.ts';

interface Domain {
  readonly size: number;
  at(index: number): SourceValue;
}

export interface ColumnValues {
  value(random: RowRandom): SourceValue;
  /** Set if the column allows few values only. Otherwise `distinct` makes any number of values. */
  readonly domain?: Domain | undefined;
  distinct(number: number, random: RowRandom): SourceValue;
}

interface PresentValues {
  readonly largest: bigint;
  /** Numbered values begin after the number of rows, so that they seldom meet those of the table. */
  readonly rowCount: number;
}

/** A longer text is cut, whatever a check requires. */
const maxTextLength = 100_000;

export function columnValues(
  column: EditableColumn,
  limits: ColumnLimits | undefined,
  present: PresentValues,
): ColumnValues {
  const { name, type, affinity } = column;
  if (limits?.values) return fromList(limits.values.filter(value => value !== null));
  if (limits?.patterns) return fromPatterns(limits);
  const isNumber = affinity === 'integer' || affinity === 'real';
  if (/bool/i.test(type) || (isNumber && /^(?:is|has|can)(?:_|[A-Z])|(?:active|enabled|visible)$/.test(name))) {
    return fromList([0n, 1n]);
  }
  const dateKind = dateKindOf(name, type);
  const hasBounds = limits?.min !== undefined || limits?.max !== undefined;
  if (dateKind && !hasBounds) return numberedFrom(present.rowCount, dates(dateKind, isNumber));
  const decimals = decimalsOf(type);
  if (affinity === 'integer' || (affinity === 'numeric' && decimals === 0)) {
    return integers(name, limits, present.largest);
  }
  if (affinity === 'real' || decimals !== undefined || hasBounds) {
    return numberedFrom(present.rowCount, reals(name, limits, decimals ?? 2));
  }
  if (affinity === 'blob' && /blob/i.test(type)) return numberedFrom(present.rowCount, blobs(limits));
  return numberedFrom(present.rowCount, texts(column, limits));
}

const numberedFrom = (first: number, values: ColumnValues): ColumnValues => ({
  ...values,
  distinct: (number, random) => values.distinct(first + number, random),
});

function fromList(values: readonly SourceValue[]): ColumnValues {
  return {
    value: random => (values.length > 0 ? random.oneOf(values) : null),
    domain: { size: values.length, at: index => values[index] ?? null },
    distinct: number => values[number % values.length] ?? null,
  };
}

function fromPatterns({ patterns = [], candidates = [] }: ColumnLimits): ColumnValues {
  const value = (random: RowRandom): SourceValue => {
    const { operator, text } = random.oneOf(patterns);
    return textMatching(operator, text, random);
  };
  return {
    value: random => (candidates.length > 0 && random.chance(0.2) ? random.oneOf(candidates) : value(random)),
    distinct: (_number, random) => value(random),
  };
}

function dates(kind: DateKind, isNumber: boolean): ColumnValues {
  const valueOf = (second: number): SourceValue => (isNumber ? BigInt(second) : dateText(kind, second));
  return {
    value: random => valueOf(firstSecond + random.upTo(spanSeconds)),
    domain: isNumber || kind !== 'time' ? undefined : { size: secondsPerDay, at: second => dateText(kind, second) },
    distinct: number => valueOf(numberedSecond(kind, number)),
  };
}

function integers(name: string, limits: ColumnLimits | undefined, largest: bigint): ColumnValues {
  const { min, max } = numberRangeOf(name, limits, true);
  const closed = closedIntegers(limits);
  const lowest = BigInt(Math.trunc(closed?.min ?? (limits?.min ? min : 1)));
  // Keys continue after the largest one of the table.
  const first = largest >= lowest ? largest + 1n : lowest;
  return {
    value: random => BigInt(min + random.upTo(Math.max(1, max - min + 1))),
    domain: closed && { size: closed.size, at: index => BigInt(closed.min + index) },
    distinct: number => (limits?.max && !limits.min ? BigInt(max - number) : first + BigInt(number)),
  };
}

function reals(name: string, limits: ColumnLimits | undefined, decimals: number): ColumnValues {
  const { min, max } = numberRangeOf(name, limits, false);
  const rounded = (value: number): number => {
    const near = Number(value.toFixed(decimals));
    return near >= min && near <= max ? near : value;
  };
  /** Steps by the golden ratio fill an interval and never meet. */
  const spread = (number: number): number => min + (max - min) * ((number * 0.618_033_988_749_895) % 1);
  return {
    value: random => rounded(min + random.next() * (max - min)),
    distinct: number => (limits?.max ? spread(number + 1) : Math.max(min, 0) + number + 0.5),
  };
}

function blobs(limits: ColumnLimits | undefined): ColumnValues {
  const least = Math.min(limits?.minLength ?? 8, maxTextLength);
  const length = Math.max(0, Math.min(Math.max(least, 8), limits?.maxLength ?? maxTextLength));
  return {
    value: random => Uint8Array.from({ length }, () => random.upTo(256)),
    distinct: (number, random) => {
      const bytes = Uint8Array.from({ length }, () => random.upTo(256));
      let rest = number;
      for (let place = 0; place < Math.min(length, 6); place++) {
        bytes[length - 1 - place] = rest % 256;
        rest = Math.floor(rest / 256);
      }
      return bytes;
    },
  };
}

function texts({ name, type }: EditableColumn, limits: ColumnLimits | undefined): ColumnValues {
  const make = textsFor(name, type);
  const declared = /char[^(]*\(\s*(\d+)/i.exec(type)?.[1];
  const minLength = Math.min(limits?.minLength ?? 0, maxTextLength);
  const maxLength = Math.min(limits?.maxLength ?? Infinity, declared === undefined ? maxTextLength : Number(declared));
  return {
    value: random => fittedText(make(random), minLength, maxLength),
    distinct: (number, random) => {
      const numbered = numberedText(make(random), String(number + 1));
      if (numbered.length >= minLength && numbered.length <= maxLength) return numbered;
      // Digits and letters write more numbers in a short text. All have one length, so that none is the beginning of another.
      const length = Math.max(minLength, Math.min(maxLength, 12));
      return number.toString(36).padStart(length, '0');
    },
  };
}

/** The digits after the point of a declared decimal type. Undefined for other types. */
function decimalsOf(type: string): number | undefined {
  if (!/^(?:decimal|numeric|number|money)/i.test(type)) return undefined;
  const [, precision, scale] = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(type) ?? [];
  if (precision === undefined) return 2;
  return scale === undefined ? 0 : Math.min(Number(scale), 15);
}

type DateKind = 'date' | 'time' | 'dateTime';

/** The kind of date or time in a column, by its declared type and its name. Undefined for other columns. */
function dateKindOf(name: string, type: string): DateKind | undefined {
  if (/datetime|timestamp/i.test(type)) return 'dateTime';
  if (/date/i.test(type)) return 'date';
  if (/^time/i.test(type)) return 'time';
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  if (/(?:^|_)(?:date|day|birthday|birthdate|dob)$|_on$|^date_/.test(words)) return 'date';
  if (/_at$|(?:^|_)(?:timestamp|datetime|created|updated|modified|deleted|expires)$/.test(words)) return 'dateTime';
  return /(?:^|_)time$/.test(words) ? 'time' : undefined;
}

const secondsPerDay = 86_400;
/** 2020-01-01. The range does not move with the clock, so that a seed always gives the same rows. */
const firstSecond = 1_577_836_800;
const spanSeconds = 6 * 365 * secondsPerDay;

/** Each number gives another day for a date, or another second for a time. Times without a date repeat after a day. */
const numberedSecond = (kind: DateKind, number: number): number =>
  firstSecond + number * (kind === 'date' ? secondsPerDay : 1);

/** The date or time as SQLite's own functions write it. */
function dateText(kind: DateKind, second: number): string {
  // The last second of the year 9999: later ones have no four digits.
  const text = new Date(Math.min(second, 253_402_300_799) * 1000).toISOString();
  const date = text.slice(0, 10);
  const time = text.slice(11, 19);
  if (kind === 'date') return date;
  return kind === 'time' ? time : `${date} ${time}`;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A text that a pattern of LIKE or GLOB matches. */
function textMatching(operator: 'like' | 'glob', pattern: string, random: RowRandom): string {
  const any = operator === 'like' ? '%' : '*';
  const one = operator === 'like' ? '_' : '?';
  let text = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === any) text += lettersOf(random, 1 + random.upTo(5));
    else if (character === one) text += lettersOf(random, 1);
    else if (operator === 'glob' && character === '[') {
      // A closing bracket right after the opening one stands for itself.
      const end = pattern.indexOf(']', at + (pattern[at + 1] === '^' ? 3 : 2));
      if (end === -1) return text + pattern.slice(at);
      text += characterOf(pattern.slice(at + 1, end), random);
      at = end;
    } else text += character;
  }
  return text;
}

const lettersOf = (random: RowRandom, length: number): string =>
  Array.from({ length }, () => letters[random.upTo(letters.length)]!).join('');

/** A character of a set, such as `a-z0-9`. */
function characterOf(set: string, random: RowRandom): string {
  if (set.startsWith('^')) {
    const free = Array.from(`${letters}${letters.toUpperCase()}0123456789-`).filter(
      character => !charactersOf(set.slice(1)).includes(character),
    );
    return free.length > 0 ? random.oneOf(free) : '_';
  }
  return random.oneOf(charactersOf(set));
}

function charactersOf(set: string): string[] {
  const characters: string[] = [];
  for (let at = 0; at < set.length; at++) {
    const first = set.charCodeAt(at);
    const isRange = set[at + 1] === '-' && at + 2 < set.length;
    const last = isRange ? set.charCodeAt(at + 2) : first;
    // A range of all characters of Unicode would be long.
    for (let code = first; code <= Math.min(last, first + 255); code++) characters.push(String.fromCharCode(code));
    if (isRange) at += 2;
  }
  return characters.length > 0 ? characters : ['_'];
}
