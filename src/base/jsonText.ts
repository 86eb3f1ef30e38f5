/** JSON as text: where it is wrong, and how it is laid out. Numbers, escapes and the order of keys stay as they are written. */

type JsonFaultKind = 'value' | 'key' | 'colon' | 'comma' | 'text' | 'rest' | 'unfinished';

interface JsonFault {
  readonly kind: JsonFaultKind;
  readonly offset: number;
}

/** The first place at which a text is not JSON. Undefined for JSON. */
export function jsonFaultIn(text: string): JsonFault | undefined {
  const scan = new JsonScan(text);
  while (scan.next());
  return scan.fault;
}

/** Whether a text is a JSON object or array. Nobody takes other JSON texts for it. */
export const isJsonContainer = (text: string): boolean => /^\s*[{[]/.test(text) && jsonFaultIn(text) === undefined;

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
    blanks.lastIndex = this.#offset;
    blanks.test(this.#text);
    this.#offset = blanks.lastIndex;
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
        if (this.#closes(first)) return this.#close(first);
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

  #closes(sign: string): boolean {
    return sign === (this.#openBrackets.at(-1) === '{' ? '}' : ']');
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

const blanks = /[ \t\n\r]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The text in quotes at an offset. Undefined if it is not valid. A loop, because an expression would need a deep stack. */
function stringAt(text: string, start: number): string | undefined {
  for (let offset = start + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) return text.slice(start, offset + 1);
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    escape.lastIndex = offset;
    const escaped = escape.exec(text)?.[0];
    if (escaped === undefined) return undefined;
    offset += escaped.length - 1;
  }
  return undefined;
}

/** The line and the column of an offset, counted from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
