import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { Assembler } from 'stream-json/core/assembler.js';
import type { UnknownRecord } from '../base/decode.ts';
import { protocolError } from '../base/errors.ts';
import { NestingScanner, openBracket } from '../base/jsonBytes.ts';

/** How deep `rows` stands in the answer's object. */
const rowsDepth = 2;

/**
 * All of an answer except its rows. stream-json reads it token by token, and so decides what is valid. The nesting scanner
 * only finds the brackets at which the rows may begin.
 */
export class Envelope {
  readonly #tokenize = jsonParser({ packValues: true, streamValues: false });
  readonly #assembler = new Assembler();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #nesting = new NestingScanner(0);
  readonly #maxBytes: number;
  #bytes = 0;
  #root: UnknownRecord | undefined;
  #rowsFound = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads up to the bracket that opens `rows`. Returns the index just past it, or -1 if it comes in a later piece. */
  readToRows(piece: Uint8Array): number {
    let read = 0;
    for (;;) {
      const at = this.#nesting.pastEndOrDepth(piece, read, rowsDepth);
      this.read(piece.subarray(read, at === -1 ? piece.length : at));
      if (at === -1) return -1;
      read = at;
      if (piece[at - 1] === openBracket && this.#rowsFound) return at;
    }
  }

  read(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) {
      throw protocolError('answer_too_large', `The answer holds more than ${this.#maxBytes} bytes beside its rows.`);
    }
    for (const token of this.#tokensOf(bytes)) this.#take(token);
  }

  /** The value of a key, if it has arrived whole: stream-json adds a value to its object at the value's end. */
  value(key: string): unknown {
    return this.#root && Object.hasOwn(this.#root, key) ? this.#root[key] : undefined;
  }

  /** The whole object without its rows. Throws if it has not ended. */
  finish(): UnknownRecord {
    if (!this.#root || !this.#assembler.done) {
      throw protocolError('incomplete_answer', "The service's answer ends before its JSON does.");
    }
    try {
      this.#decoder.decode();
    } catch {
      throw protocolError('invalid_json', "The service's answer ends within a character.");
    }
    return this.#root;
  }

  #tokensOf(bytes: Uint8Array): readonly Token[] {
    try {
      const tokens: unknown = this.#tokenize(this.#decoder.decode(bytes, { stream: true }));
      // stream-json returns several tokens in an object whose only public field is the list.
      return (tokens as { values?: readonly Token[] }).values ?? [];
    } catch {
      throw protocolError('invalid_json', "The service's answer is not valid JSON in UTF-8.");
    }
  }

  #take(token: Token): void {
    if (!this.#root && token.name !== 'startObject') {
      throw protocolError('not_an_object', "The service's answer is not a JSON object.");
    }
    if (token.name === 'startArray' && this.#assembler.depth === 1 && this.#assembler.key === 'rows') {
      if (this.#rowsFound) throw protocolError('duplicate_rows', "The service's answer holds more than one row array.");
      this.#rowsFound = true;
    }
    this.#assembler.consume(token);
    this.#root ??= this.#assembler.current as UnknownRecord;
  }
}
