/**
 * Parses JSON as JSON.parse does, without a fault of its engine: a key with an escape may get the name of an earlier key.
 * After `{"a":1,"\\":2}`, the keys of `{"a":1,"\"":2}` are read as `a` and `\` (nodejs/node#63785). Column names are keys, and
 * `count("x")` is one.
 *
 * It scans text, not bytes as base/jsonBytes does: JSON.parse needs the text anyway, and searching it is fastest. Its search for
 * the end of a string differs from that of base/jsonText: after an escaped quote it takes short steps again. So it reads JSON
 * within strings, which has many of them, a quarter faster.
 */
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from '../base/jsonBytes.ts';
import { setMember } from '../base/setMember.ts';
import { Real } from './values.ts';

const integerText = /^-?\d+$/;
/** The shortest integer that a double cannot hold has sixteen digits. */
const manyDigits = /\d{16}/;

/** Integers that a double cannot hold become bigints. */
export function parseExact(text: string): unknown {
  // A look at each value is many times slower than parsing, so do it only if there may be a large integer.
  return manyDigits.test(text) ? lastOf(assemble(text, exactValue)) : parseRounding(text);
}

/** As parseExact or parseRounding, for a large text: the caller may do other work between the steps. */
export function* parseInSteps(text: string, { isExact }: { readonly isExact: boolean }): ParseSteps {
  if (isExact && manyDigits.test(text)) return yield* assemble(text, exactValue);
  const isPlain = !hasEscapedKey(text);
  yield;
  if (isPlain) return JSON.parse(text) as unknown;
  return yield* assemble(text, roundedValue);
}

/** The work is done step by step. The last step returns the value. */
type ParseSteps = Generator<undefined, unknown, undefined>;

function lastOf(steps: ParseSteps): unknown {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** As parseExact, for parameters: a whole number with a point or exponent becomes a Real. */
export function parseBindable(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The engine is exact without numbers. A save or an import sends one long text, which is parsed only once then.
  if (!mayHoldNumber(value) && !hasEscapedKey(text)) return value;
  return lastOf(assembleValid(text, bindableValue));
}

/** A request holds its values at the second level. Deeper ones are not looked at. */
function mayHoldNumber(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return depth > 1 || Object.values(value).some(member => mayHoldNumber(member, depth + 1));
}

function bindableValue(token: string): unknown {
  const value: unknown = JSON.parse(token);
  if (!Number.isSafeInteger(value)) return exactly(value, token);
  if (!integerText.test(token)) return new Real(value as number);
  return value === 0 ? 0 : value;
}

/** Integers that a double cannot hold are rounded. */
export function parseRounding(text: string): unknown {
  return hasEscapedKey(text) ? lastOf(assemble(text, roundedValue)) : JSON.parse(text);
}

const roundedValue = (token: string): unknown => JSON.parse(token);
const exactValue = (token: string): unknown => exactly(JSON.parse(token), token);

/** The time to read an integer grows faster than its digits. SQLite has at most 19. */
const maxIntegerDigits = 10_000;

function exactly(value: unknown, token: string): unknown {
  const isLarge = typeof value === 'number' && !Number.isSafeInteger(value) && integerText.test(token);
  if (!isLarge) return value;
  if (token.length > maxIntegerDigits) throw new SyntaxError('An integer has too many digits.');
  return BigInt(token);
}

/**
 * Whether JSON.parse may read a key of the text wrongly. In JSON, only strings have backslashes, and a string with a colon
 * after it is a key.
 */
function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    at = pastString(text, at);
    if (isKey(text, at)) return true;
  }
  return false;
}

/** A longer text or token takes steps of its own. */
const stepLength = 1 << 18;

/**
 * Parses values and keys one by one, which the engine does without fault, and builds the objects here. For exact integers this
 * is twice as fast as the engine's reviver, and it takes any depth.
 */
function* assemble(text: string, valueOf: (token: string) => unknown): ParseSteps {
  // Let the engine check the text: it throws the right error.
  JSON.parse(text);
  if (text.length > stepLength) yield;
  return yield* assembleValid(text, valueOf);
}

function* assembleValid(text: string, valueOf: (token: string) => unknown): ParseSteps {
  const whole: unknown[] = [];
  const open: object[] = [whole];
  let key = '';
  const put = (value: unknown): void => {
    const into = open.at(-1)!;
    if (Array.isArray(into)) into.push(value);
    else setMember(into, key, value);
  };
  for (let at = 0; at < text.length;) {
    const first = text.charCodeAt(at);
    if (first === openBrace || first === openBracket) {
      const container = first === openBrace ? {} : [];
      put(container);
      open.push(container);
      at++;
    } else if (first === closeBrace || first === closeBracket) {
      open.pop();
      at++;
    } else if (isBetween(first)) {
      at++;
    } else {
      const past = first === quote ? pastString(text, at + 1) : pastWord(text, at);
      const isLong = past - at > stepLength;
      const token = text.slice(at, past);
      if (isLong) yield;
      if (first === quote && isKey(text, past)) key = JSON.parse(token) as string;
      else put(valueOf(token));
      if (isLong) yield;
      at = past;
    }
  }
  return whole[0];
}

/** A native search is faster in a longer text between quotes, and slower in a shorter one. */
const shortLength = 64;

/** The index just past the string that `from` is in. No backslash may be before `from`. */
function pastString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const shortEnd = Math.min(at + shortLength, text.length);
    while (at < shortEnd) {
      const unit = text.charCodeAt(at);
      if (unit === quote) return at + 1;
      at += unit === backslash ? 2 : 1;
    }
    const found = text.indexOf('"', at);
    if (found === -1) return text.length;
    if (!isEscaped(text, found, at)) return found + 1;
    at = found + 1;
  }
  return text.length;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

function pastWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBetween(text.charCodeAt(at)) && !isClosing(text.charCodeAt(at))) at++;
  return at;
}

function isKey(text: string, past: number): boolean {
  let at = past;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === colon;
}

const isBlank = (character: number): boolean => character <= 0x20;
const isBetween = (character: number): boolean => isBlank(character) || character === comma || character === colon;
const isClosing = (character: number): boolean => character === closeBrace || character === closeBracket;
