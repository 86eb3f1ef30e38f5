import { parseJson } from './decode.ts';
import { backslash, isBlank, quote } from './jsonBytes.ts';
import { pastString } from './jsonString.ts';

/* Reads, checks and lays out JSON as text. Numbers, escapes and the order of keys stay as they are written. */

/** The index of the next character other than a blank, or the end of the text. */
export function pastBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

const wordEnd = /[ \t\r\n,\]}]/g;

/** The index just past a number or word, or -1 if the text ends with it: more of it may follow. */
function pastWord(text: string, from: number): number {
  wordEnd.lastIndex = from;
  return wordEnd.exec(text)?.index ?? -1;
}

const structure = /["{}[\]]/g;

/** The index just past the object or array that begins at `from`, or -1 if it is cut off. */
function pastNested(text: string, from: number): number {
  let depth = 0;
  structure.lastIndex = from;
  for (let found = structure.exec(text); found; found = structure.exec(text)) {
    const mark = found[0];
    if (mark === '"') {
      const end = pastString(text, found.index + 1);
      if (end === -1) return -1;
      structure.lastIndex = end;
    } else if (mark === '{' || mark === '[') {
      depth++;
    } else if (--depth <= 0) {
      return found.index + 1;
    }
  }
  return -1;
}

/** The index just past any value, or -1 if it is cut off. */
export function pastValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return pastString(text, from + 1);
  return first === '{' || first === '[' ? pastNested(text, from) : pastWord(text, from);
}

/** A member of an object or array, with its value as it is written. The key of an array's member is its index. */
export type JsonMember = readonly [key: string, source: string];

/** The direct members of valid JSON. JSON.parse would lose the order of keys, repeated keys, and digits of numbers. */
export function* membersOf(text: string): Generator<JsonMember> {
  const opening = pastBlanks(text, 0);
  const hasKeys = text[opening] === '{';
  if (!hasKeys && text[opening] !== '[') return;
  let at = pastBlanks(text, opening + 1);
  const closer = hasKeys ? '}' : ']';
  for (let nth = 0; at < text.length && text[at] !== closer; nth++) {
    let key: string;
    if (hasKeys) {
      const pastKey = pastString(text, at + 1);
      key = stringOf(text.slice(at, pastKey));
      at = pastBlanks(text, pastBlanks(text, pastKey) + 1);
    } else {
      key = String(nth);
    }
    const end = pastValue(text, at);
    yield [key, text.slice(at, end)];
    at = pastBlanks(text, end);
    if (text[at] === ',') at = pastBlanks(text, at + 1);
  }
}

export const stringOf = (source: string): string =>
  source.includes('\\') ? (JSON.parse(source) as string) : source.slice(1, -1);

export type JsonFaultKind = 'value' | 'key' | 'colon' | 'comma' | 'text' | 'rest' | 'unfinished';

interface JsonFault {
  readonly kind: JsonFaultKind;
  readonly offset: number;
}

/** Undefined for JSON. */
export function jsonFaultIn(text: string): JsonFault | undefined {
  const scan = new JsonScan(text);
  while (scan.next());
  return scan.fault;
}

/** Whether a text is a JSON object or array. Other JSON texts, such as `5`, look like plain text. */
export function isJsonContainer(text: string): boolean {
  return /^\s*[{[]/.test(text) && parseJson(text) !== undefined;
}

/** The same JSON, indented, or on one line without an indent. Undefined if the text is not JSON. */
export function layOutJson(text: string, indent: string): string | undefined {
  const scan = new JsonScan(text);
  const parts: string[] = [];
  const lineAt = (depth: number): string => (indent === '' ? '' : `\n${indent.repeat(Math.min(depth, maxIndent))}`);
  let wasOpened = false;
  while (scan.next()) {
    const { token, depth } = scan;
    const isClosing = token === '}' || token === ']';
    if (wasOpened && !isClosing) parts.push(lineAt(depth - (isOpening(token) ? 1 : 0)));
    if (isClosing && !wasOpened) parts.push(lineAt(depth));
    parts.push(token);
    if (token === ',') parts.push(lineAt(depth));
    if (token === ':' && indent !== '') parts.push(' ');
    wasOpened = isOpening(token);
  }
  return scan.fault ? undefined : parts.join('');
}

/** Deeper lines are indented no further, so that nested brackets do not take room without end. */
const maxIndent = 32;

const isOpening = (token: string): boolean => token === '{' || token === '[';

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/** Reads the tokens of a JSON text one by one, and stops at the first fault. */
class JsonScan {
  token = '';
  /** How many objects and arrays are open after the token. */
  depth = 0;
  fault: JsonFault | undefined;
  readonly #text: string;
  readonly #openBrackets: ('{' | '[')[] = [];
  #expected: Expected = 'value';
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the next token. Returns false at the end and at a fault. */
  next(): boolean {
    this.#offset = pastBlanks(this.#text, this.#offset);
    if (this.#offset >= this.#text.length) {
      if (this.#expected !== 'nothing') this.fault = { kind: 'unfinished', offset: this.#offset };
      return false;
    }
    const kind = this.#take(this.#text.charAt(this.#offset));
    if (kind) this.fault = { kind, offset: this.#offset };
    else this.#offset += this.token.length;
    return kind === undefined;
  }

  /** Takes the token that begins with a character, or gives the kind of the fault. */
  #take(first: string): JsonFaultKind | undefined {
    const expected = this.#expected;
    switch (expected) {
      case 'nothing':
        return 'rest';
      case 'colon':
        if (first !== ':') return 'colon';
        return this.#accept(first, 'value');
      case 'commaOrEnd':
        if (first === (this.#openBrackets.at(-1) === '{' ? '}' : ']')) return this.#close(first);
        if (first !== ',') return 'comma';
        return this.#accept(first, this.#openBrackets.at(-1) === '{' ? 'key' : 'value');
      case 'keyOrEnd':
      case 'key': {
        if (expected === 'keyOrEnd' && first === '}') return this.#close(first);
        if (first !== '"') return 'key';
        const name = stringAt(this.#text, this.#offset);
        return name === undefined ? 'text' : this.#accept(name, 'colon');
      }
      case 'valueOrEnd':
      case 'value':
        if (expected === 'valueOrEnd' && first === ']') return this.#close(first);
        return this.#takeValue(first);
    }
  }

  #takeValue(first: string): JsonFaultKind | undefined {
    if (first === '{' || first === '[') {
      this.#openBrackets.push(first);
      this.depth++;
      return this.#accept(first, first === '{' ? 'keyOrEnd' : 'valueOrEnd');
    }
    if (first === '"') {
      const value = stringAt(this.#text, this.#offset);
      return value === undefined ? 'text' : this.#accept(value, this.#afterValue);
    }
    scalar.lastIndex = this.#offset;
    const value = scalar.exec(this.#text)?.[0];
    return value === undefined ? 'value' : this.#accept(value, this.#afterValue);
  }

  get #afterValue(): Expected {
    return this.#openBrackets.length > 0 ? 'commaOrEnd' : 'nothing';
  }

  #close(sign: string): undefined {
    this.#openBrackets.pop();
    this.depth--;
    return this.#accept(sign, this.#afterValue);
  }

  #accept(token: string, expected: Expected): undefined {
    this.token = token;
    this.#expected = expected;
    return undefined;
  }
}

const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The text in quotes at an offset. Undefined if it is not valid. A regular expression would need a deep stack. */
function stringAt(text: string, start: number): string | undefined {
  for (let offset = start + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === quote) return text.slice(start, offset + 1);
    if (code < 0x20) return undefined;
    if (code !== backslash) continue;
    escape.lastIndex = offset;
    const escaped = escape.exec(text)?.[0];
    if (escaped === undefined) return undefined;
    offset += escaped.length - 1;
  }
  return undefined;
}

export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
