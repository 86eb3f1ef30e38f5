import { asRecord, type UnknownRecord } from '../base/decode.ts';
import { ProjectError, protocolError } from '../base/errors.ts';
import { NestingScanner } from '../base/jsonBytes.ts';
import { maxRestBytes, restFault, restLimits } from '../wire/answerLimits.ts';
import { type BrowsePage, decodeBrowsePage, requireSqlAnswer } from '../wire/answers.ts';
import { parseExact, parseRounding } from '../wire/exactJson.ts';
import { faultOf, isRefusal } from '../wire/refusals.ts';
import type { Column, Row } from '../wire/values.ts';
import { readText } from './body.ts';
import { checkCount, checkMilliseconds } from './checks.ts';
import { hasLongDigits } from './decodeRows.ts';
import type { HttpAnswer } from './exchange.ts';
import type { SqlCallOptions } from './options.ts';
import { type CheckRest, RowScanner, type RowScannerOptions } from './rowScanner.ts';

/** The memory of a row with one small value. */
const minRowBytes = 64;
/** A row without columns counts for this memory. No statement gives such rows, so a service that sends them is stopped early. */
const emptyRowBytes = 1024;
/** Each array or object in a row counts for this memory. An empty array takes an eighth of it. */
const nestedValueBytes = 512;
/** By default, an answer that `execSql` holds may have this many times `maxRowBytes`. */
const wholeAnswerFactor = 4;

export interface SqlAnswer {
  /** A refused statement rejects instead. */
  readonly ok: true;
  readonly rows: readonly Row[];
  /** Undefined if the service names no columns and there are no rows. */
  readonly columns: readonly Column[] | undefined;
  /** How many rows a statement without rows changed. */
  readonly rowCount: number | undefined;
  readonly replayed: boolean;
}

/** Reads the body of an answer: as JSON, as rows that arrive, as all rows at once, or as a page of rows. */
export class AnswerReader {
  readonly #options: RowScannerOptions;
  readonly #maxAnswerBytes: number;

  constructor(options: RowScannerOptions, maxAnswerBytes = wholeAnswerFactor * options.maxRowBytes) {
    this.#options = options;
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  forCall(call: SqlCallOptions): AnswerReader {
    const rowTimeout = checkMilliseconds('rowTimeout', call.rowTimeout ?? this.#options.rowTimeout);
    const maxAnswerBytes = checkCount('maxAnswerBytes', call.maxAnswerBytes ?? this.#maxAnswerBytes, 1);
    const maxRowBytes = Math.min(this.#options.maxRowBytes, maxAnswerBytes);
    const { onBytes } = call;
    return new AnswerReader({ ...this.#options, rowTimeout, maxRowBytes, onBytes }, maxAnswerBytes);
  }

  readonly json = async (answer: HttpAnswer): Promise<unknown> => {
    const maxBytes = Math.min(this.#options.maxRowBytes, maxRestBytes);
    const { rowTimeout, clock } = this.#options;
    let isLate = false;
    const end = (): void => {
      isLate = true;
      answer.destroy();
    };
    const cancelTimer = rowTimeout > 0 ? clock.after(rowTimeout, end) : undefined;
    try {
      const value = this.#parse(await readText(withinLimits(answer.chunks), maxBytes));
      refuse(answer, asRecord(value) ?? {});
      return value;
    } catch (thrown) {
      if (!isLate) throw thrown;
      throw new ProjectError('transport', 'row_timeout', `The answer took longer than ${rowTimeout} ms to arrive.`);
    } finally {
      cancelTimer?.();
    }
  };

  /** Calls `onRelease` when the scanner no longer needs the call. */
  scanner(answer: HttpAnswer, onRelease?: () => void): RowScanner {
    const check: CheckRest = rest => {
      refuse(answer, rest);
      requireSqlAnswer(rest);
    };
    return new RowScanner(answer, check, { ...this.#options, onRelease });
  }

  async wholeAnswer(answer: HttpAnswer): Promise<SqlAnswer> {
    const scanner = this.scanner(answer);
    const rows = await allRows(scanner, this.#maxAnswerBytes, 'Read it with execSqlStream, or select less.');
    const { columns, rowCount, replayed } = scanner;
    return { ok: true, rows, columns, rowCount, replayed };
  }

  /** A page of a browsed table. Its rows together may be as large as one row. */
  async page(answer: HttpAnswer): Promise<BrowsePage> {
    let rest: UnknownRecord = {};
    const check: CheckRest = record => {
      refuse(answer, record);
      rest = record;
    };
    const scanner = new RowScanner(answer, check, this.#options);
    const rows = await allRows(scanner, this.#options.maxRowBytes, 'Fetch fewer rows at a time.');
    return decodeBrowsePage(Array.isArray(rest['rows']) ? { ...rest, rows } : rest);
  }

  #parse(text: string): unknown {
    try {
      const isExact = this.#options.exactIntegers && hasLongDigits(Buffer.from(text));
      return isExact ? parseExact(text) : parseRounding(text);
    } catch {
      throw protocolError('invalid_json', "The service's answer is not valid JSON.");
    }
  }
}

/** Throws if the rows take more than `maxBytes`. */
async function allRows(scanner: RowScanner, maxBytes: number, remedy: string): Promise<Row[]> {
  const rows: Row[] = [];
  let emptyCount = 0;
  const isTooLarge = (): boolean => {
    const bytes = scanner.bytesRead + scanner.nestedCount * nestedValueBytes + emptyCount * emptyRowBytes;
    return Math.max(bytes, rows.length * minRowBytes) > maxBytes;
  };
  for await (const batch of scanner.batches()) {
    for (const row of batch) {
      rows.push(row);
      if (isEmpty(row)) emptyCount++;
    }
    if (isTooLarge()) break;
  }
  if (isTooLarge()) {
    throw protocolError('answer_too_large', `The answer is larger than the ${maxBytes} bytes held at once. ${remedy}`);
  }
  const fault = scanner.err();
  if (fault) throw fault;
  return rows;
}

function isEmpty(row: Row): boolean {
  for (const _ in row) return false;
  return true;
}

function refuse({ status, redactor }: HttpAnswer, answer: UnknownRecord): void {
  if (isRefusal(answer)) throw faultOf(status, redactor.refusal(answer));
}

/** Throws when an answer without rows exceeds a limit. */
async function* withinLimits(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const nesting = new NestingScanner(0, restLimits);
  for await (const chunk of chunks) {
    for (let at = 0; at !== -1;) at = nesting.pastEnd(chunk, at);
    if (nesting.exceeded) throw restFault(nesting.exceeded);
    yield chunk;
  }
}
