import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { protocolError } from '../base/errors.ts';
import type { UnknownRecord } from '../base/shape.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;

/**
 * Everything of an answer but its rows. stream-json reads it, token by token, and so decides what is valid; the byte
 * loop here only finds the brackets at which to ask whether the rows begin.
 */
export class Envelope {
  readonly #tokenize = jsonParser({ packValues: true, streamValues: false });
  readonly #assembler = new Assembler();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #maxBytes: number;
  #bytes = 0;
  #root: UnknownRecord | undefined;
  #rowsFound = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads up to the bracket that opens `rows`. The answer is the index just past it, or -1 when it is not in these bytes. */
  readToRows(chunk: Uint8Array): number {
    let read = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inString = false;
      } else if (byte === quote) {
        this.#inString = true;
      } else if ((byte | 0x20) === 0x7b) {
        this.#depth++;
        if (byte === openBracket && this.#depth === 2) {
          this.read(chunk.subarray(read, at + 1));
          read = at + 1;
          if (this.#rowsFound) return read;
        }
      } else if ((byte | 0x20) === 0x7d) {
        this.#depth--;
      }
    }
    this.read(chunk.subarray(read));
    return -1;
  }

  read(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) {
      throw protocolError('answer_too_large', `The answer holds more than ${this.#maxBytes} bytes beside its rows.`);
    }
    for (const token of this.#tokensOf(bytes)) this.#take(token);
  }

  /** The value of a key, once it is whole: stream-json adds a value to its object when it has seen its end. */
  value(key: string): unknown {
    return this.#root && Object.hasOwn(this.#root, key) ? this.#root[key] : undefined;
  }

  /** The whole object, without its rows. Only an object that was closed is one. */
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
      // stream-json bundles several tokens in an object whose one public field is the list.
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
