import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { Assembler } from 'stream-json/core/assembler.js';
import type { UnknownRecord } from '../base/decode.ts';
import { protocolError } from '../base/errors.ts';
import { NestingScanner, openBracket } from '../base/jsonBytes.ts';
import { maxRestBytes, restFault, restLimits } from '../wire/answerLimits.ts';
import { parseExact } from '../wire/exactJson.ts';

/** How deep `rows` is in the answer's object. */
const rowsDepth = 2;

/** Integers that a double cannot hold become bigints, as in rows. */
class ExactAssembler extends Assembler {
  override numberValue(text: string): void {
    const value = exactNumber(text);
    // `stringValue` saves any value.
    if (typeof value === 'bigint') this.stringValue(value as unknown as string);
    else super.numberValue(text);
  }
}

function exactNumber(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw protocolError('answer_too_large', 'An integer of the answer has too many digits.');
  }
}

/**
 * All of an answer except its rows. stream-json reads its tokens and checks that they are valid. The nesting scanner finds
 * the brackets at which the rows may begin, and checks the limits.
 */
export class Envelope {
  readonly #tokenize = jsonParser({ packValues: true, streamValues: false });
  readonly #assembler: Assembler;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #nesting = new NestingScanner(0, restLimits);
  readonly #maxBytes: number;
  #bytes = 0;
  #root: UnknownRecord | undefined;
  #hasRowsKey = false;
  #rowsFound = false;

  constructor(maxBytes: number, exactIntegers: boolean) {
    this.#maxBytes = Math.min(maxBytes, maxRestBytes);
    this.#assembler = exactIntegers ? new ExactAssembler() : new Assembler();
  }

  /** Reads up to the bracket that opens `rows`. Returns the index just past it, or -1 if it comes in a later piece. */
  readToRows(piece: Uint8Array): number {
    let read = 0;
    for (;;) {
      const at = this.#nesting.pastEnd(piece, read, rowsDepth);
      this.#read(piece.subarray(read, at === -1 ? piece.length : at));
      if (at === -1) return -1;
      read = at;
      if (piece[at - 1] === openBracket && this.#rowsFound) return at;
    }
  }

  /** Reads the part after the rows. */
  readRest(piece: Uint8Array): void {
    let at = 0;
    while (at !== -1) at = this.#nesting.pastEnd(piece, at);
    this.#read(piece);
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

  /** Reads bytes that the nesting scanner has seen. */
  #read(bytes: Uint8Array): void {
    if (this.#nesting.exceeded) throw restFault(this.#nesting.exceeded);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) {
      const message = `The answer holds more than ${this.#maxBytes} bytes beside its rows. Select fewer columns, or check the address of the service.`;
      throw protocolError('answer_too_large', message);
    }
    for (const token of this.#tokensOf(bytes)) this.#take(token);
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
    if (this.#assembler.depth === 1) {
      if (token.name === 'keyValue' && token.value === 'rows') {
        if (this.#hasRowsKey) throw protocolError('duplicate_rows', `The service's answer has the key "rows" twice.`);
        this.#hasRowsKey = true;
      } else if (token.name === 'startArray' && this.#assembler.key === 'rows') this.#rowsFound = true;
    }
    this.#assembler.consume(token);
    this.#root ??= this.#assembler.current as UnknownRecord;
  }
}
