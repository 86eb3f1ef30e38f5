import { identifier, stringLiteral, fallsBackToName, grammarTokens } from '../../sql/parser/grammar.ts';
import { unquoted } from '../../sql/text/quoting.ts';

export type SqliteToken = ReturnType<typeof grammarTokens>[number];

/** Thrown for a statement that the reader does not understand. Caught within this folder. */
export class UnreadableStatement extends Error {}

/** Reads the tokens of a statement that SQLite has accepted, one after the other. */
export class TokenReader {
  readonly #text: string;
  readonly #tokens: readonly SqliteToken[];
  #index = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = grammarTokens(text, 0, text.length);
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#tokens.length;
  }

  /** The token that would be taken next, in upper case. Quoted names keep their quotes. */
  peek(ahead = 0): string {
    return this.#tokens[this.#index + ahead]?.text.toUpperCase() ?? '';
  }

  take(...words: readonly string[]): boolean {
    if (!words.every((word, ahead) => this.peek(ahead) === word)) return false;
    this.#index += words.length;
    return true;
  }

  expect(...words: readonly string[]): void {
    if (!this.take(...words)) throw new UnreadableStatement(`${words.join(' ')} expected at ${this.offset}`);
  }

  name(): string {
    const token = this.#next();
    const { type, text } = token;
    const isName = type === identifier || type === stringLiteral || fallsBackToName(type) || /^\w+$/.test(text);
    if (!isName) throw new UnreadableStatement(`name expected at ${token.span.offset}`);
    return unquoted(text);
  }

  text(): string {
    return this.#next().text;
  }

  /** Takes everything up to a comma or a closing parenthesis outside of parentheses, as it is written. */
  untilSeparator(...stops: readonly string[]): string {
    return this.#takeUntil(token => token === ',' || token === ')' || stops.includes(token));
  }

  /** Takes `( … )` and returns the text between the parentheses, as it is written. */
  parenthesized(): string {
    this.expect('(');
    const content = this.#takeUntil(token => token === ')');
    this.expect(')');
    return content;
  }

  get offset(): number {
    return this.#tokens[this.#index]?.span.offset ?? this.#text.length;
  }

  #takeUntil(isEnd: (token: string) => boolean): string {
    const start = this.#index;
    let depth = 0;
    for (; this.#index < this.#tokens.length; this.#index++) {
      const token = this.peek();
      if (depth === 0 && isEnd(token)) break;
      if (token === '(') depth++;
      else if (token === ')') depth--;
    }
    const first = this.#tokens[start];
    const last = this.#tokens[this.#index - 1];
    if (!first || !last || this.#index === start) throw new UnreadableStatement(`text expected at ${this.offset}`);
    return this.#text.slice(first.span.offset, last.span.offset + last.span.length);
  }

  #next(): SqliteToken {
    const token = this.#tokens[this.#index];
    if (!token) throw new UnreadableStatement('The statement ends too early.');
    this.#index++;
    return token;
  }
}
