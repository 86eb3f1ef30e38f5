/**
 * JSON as JSON.parse reads it, but for one fault of its engine: a key with an escape may be given the name of another
 * key, with a backslash in it, that some object had before: after `{"a":1,"\\":2}`, the keys of `{"a":1,"\"":2}` are
 * read as `a` and `\` (nodejs/node#63785). Names of columns are keys, and `count("x")` is one.
 */
import { setMember } from '../base/setMember.ts';
import { Real } from './values.ts';

interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
}
// Standard JavaScript ("JSON.parse source text access") that TypeScript's libraries do not describe yet.
const exact = JSON as unknown as ExactJson;

const integerText = /^-?\d+$/;
/** The shortest integer that a double cannot hold has sixteen digits. */
const manyDigits = /\d{16}/;

/** An integer that a double cannot hold becomes a bigint. */
export function parseExact(text: string): unknown {
  // Looking at each value costs many times what parsing does, so it is done only where there may be one to find.
  return manyDigits.test(text) ? parseTokens(text, exactly) : parseRounding(text);
}

/** As parseExact, for what is to be bound: a whole number that is not written as an integer becomes a Real. */
export function parseBindable(text: string): unknown {
  return parseTokens(text, (value, source) => {
    if (!Number.isSafeInteger(value) || source === undefined) return exactly(value, source);
    if (!integerText.test(source)) return new Real(value as number);
    return value === 0 ? 0 : value;
  });
}

/** An integer that a double cannot hold becomes the double next to it. */
export function parseRounding(text: string): unknown {
  return hasEscapedKey(text) ? assemble(text, token => JSON.parse(token)) : JSON.parse(text);
}

type ReadToken = (value: unknown, source: string | undefined) => unknown;

function parseTokens(text: string, read: ReadToken): unknown {
  const bySteps = (): unknown => assemble(text, token => read(JSON.parse(token), token));
  if (hasEscapedKey(text)) return bySteps();
  try {
    return exact.parse(text, (_key, value, { source }) => read(value, source));
  } catch (thrown) {
    // The engine reads any depth by itself, but calls nobody back from some thousands on.
    if (thrown instanceof RangeError) return bySteps();
    throw thrown;
  }
}

function exactly(value: unknown, source: string | undefined): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integerText.test(source)
    ? BigInt(source)
    : value;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** In JSON, a backslash stands in a string, and a string is a key where a colon follows. */
function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    at = pastString(text, at);
    if (isKey(text, at)) return true;
  }
  return false;
}

/** Takes values and keys one by one, each of which the engine reads well by itself. The objects are made here. */
function assemble(text: string, valueOf: (token: string) => unknown): unknown {
  // Whether all of it is JSON is the engine's to say, which it does with the right error.
  JSON.parse(text);
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
      const made = first === openBrace ? {} : [];
      put(made);
      open.push(made);
      at++;
    } else if (first === closeBrace || first === closeBracket) {
      open.pop();
      at++;
    } else if (isBetween(first)) {
      at++;
    } else {
      const past = first === quote ? pastString(text, at + 1) : pastWord(text, at);
      const token = text.slice(at, past);
      if (first === quote && isKey(text, past)) key = JSON.parse(token) as string;
      else put(valueOf(token));
      at = past;
    }
  }
  return whole[0];
}

/** `from` is within a string, and not behind a backslash. A search for quotes is several times faster than a look at each character. */
export function pastString(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && isEscaped(text, at, from)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at + 1;
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
