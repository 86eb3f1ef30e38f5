import { asRecord, type UnknownRecord } from '../base/decode.ts';
import { protocolError } from '../base/errors.ts';
import { parseExact, parseRounding } from '../wire/exactJson.ts';
import { headerNames } from '../wire/headers.ts';
import { faultOf } from '../wire/serviceError.ts';
import type { Column, Row } from '../wire/values.ts';
import { readText } from './body.ts';
import { hasLongDigits } from './decodeRows.ts';
import type { Answer } from './exchange.ts';
import { RowScanner, type RowScannerOptions } from './rowScanner.ts';

/** The whole answer to a statement. */
export interface SqlAnswer {
  readonly rows: readonly Row[];
  /** Undefined if the service names no columns and there are no rows. */
  readonly columns: readonly Column[] | undefined;
  /** How many rows a statement without rows changed. */
  readonly rowCount: number | undefined;
  readonly replayed: boolean;
}

/** Reads the body of an answer: as JSON, as rows that arrive, or as all rows at once. */
export class AnswerReader {
  readonly #options: RowScannerOptions;

  constructor(options: RowScannerOptions) {
    this.#options = options;
  }

  readonly json = async ({ status, chunks, redactor }: Answer): Promise<unknown> => {
    const answer = this.#parse(await readText(chunks, this.#options.maxRowBytes));
    const record = asRecord(answer);
    if (record?.['ok'] === false) throw faultOf(status, redactor.refusal(record));
    return answer;
  };

  /** `onRelease` is called when the scanner no longer needs the call. */
  scanner(answer: Answer, onRelease?: () => void): RowScanner {
    const { status, headers, chunks: body, redactor } = answer;
    const source = {
      status,
      body,
      replayed: headers[headerNames.idempotencyReplayed] === 'true',
      refusalOf: (refusal: UnknownRecord) => faultOf(status, redactor.refusal(refusal)),
      faultOf: answer.faultOf,
      release: () => {
        onRelease?.();
        answer.destroy();
      },
    };
    return new RowScanner(source, this.#options);
  }

  async whole(answer: Answer): Promise<SqlAnswer> {
    const scanner = this.scanner(answer);
    const rows: Row[] = [];
    for await (const batch of scanner.batches()) for (const row of batch) rows.push(row);
    const fault = scanner.err();
    if (fault) throw fault;
    return { rows, columns: scanner.columns, rowCount: scanner.rowCount, replayed: scanner.replayed };
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
