/**
 * Parses JSON without a bug of JSON.parse in V8: a key with an escape may get the name of an earlier key. After
 * `{"a":1,"\\":2}`, it reads the keys of `{"a":1,"\"":2}` as `a` and `\` (nodejs/node#63785). Column names are keys, such as
 * `count("x")`.
 *
 * This file scans text, and base/jsonBytes scans bytes: JSON.parse needs the text anyway, and searching text is fastest.
 */
import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from '../base/jsonBytes.ts';
import { pastString } from '../base/jsonString.ts';
import { setMember } from '../base/setMember.ts';
import { doAtOnce, type Steps } from '../base/turns.ts';
import { Real } from './values.ts';

const integerText = /^-?\d+$/;
/** The shortest integer that a double cannot hold has sixteen digits. */
const manyDigits = /\d{16}/;

/** Integers that a double cannot hold become bigints. */
export function parseExact(text: string): unknown {
  // Looking at each value is many times slower than JSON.parse. Do it only if there may be a large integer.
  return manyDigits.test(text) ? doAtOnce(assemble(text, exactValue)) : parseRounding(text);
}

/** As parseExact or parseRounding, for a large text: the caller may do other work between the steps. */
export function* parseInSteps(text: string, { isExact }: { readonly isExact: boolean }): Steps<unknown> {
  if (isExact && manyDigits.test(text)) return yield* assemble(text, exactValue);
  const isPlain = !hasEscapedKey(text);
  yield;
  if (isPlain) return JSON.parse(text) as unknown;
  return yield* assemble(text, roundedValue);
}

/** As parseExact, for parameters: a whole number with a point or exponent becomes a Real. */
export function parseBindable(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Without numbers, JSON.parse is exact. The one long text of a save or an import is then parsed only once.
  if (!mayHoldNumber(value) && !hasEscapedKey(text)) return value;
  return doAtOnce(assembleValid(text, bindableValue));
}

/** The values of a request are at depth 2. A list or an object there is not searched: it may hold a number. */
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
  return hasEscapedKey(text) ? doAtOnce(assemble(text, roundedValue)) : JSON.parse(text);
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
    if (at === -1) return false;
    if (isKey(text, at)) return true;
  }
  return false;
}

/** A longer text or token takes steps of its own. */
const stepLength = 1 << 18;

/**
 * Passes each value and key alone to JSON.parse, where it has no bug, and builds the objects here. For exact integers this is
 * twice as fast as a reviver. Any depth is possible.
 */
function* assemble(text: string, valueOf: (token: string) => unknown): Steps<unknown> {
  // JSON.parse checks the text and throws the right error.
  JSON.parse(text);
  if (text.length > stepLength) yield;
  return yield* assembleValid(text, valueOf);
}

function* assembleValid(text: string, valueOf: (token: string) => unknown): Steps<unknown> {
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
