import { systemClock } from '../../src/base/clock.ts';
import type { UnknownRecord } from '../../src/base/decode.ts';
import { ProjectError } from '../../src/base/errors.ts';
import { Redactor } from '../../src/client/redactor.ts';
import { RowScanner, type RowScannerOptions } from '../../src/client/rowScanner.ts';
import { requireSqlAnswer } from '../../src/wire/answers.ts';
import { faultOf, isRefusal } from '../../src/wire/refusals.ts';
import type { Row } from '../../src/wire/values.ts';

export interface Scanned {
  readonly rows: readonly Row[];
  readonly fault: Error | undefined;
}

export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

async function* each(chunks: Chunks): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function check(rest: UnknownRecord): void {
  if (isRefusal(rest)) throw faultOf(200, rest);
  requireSqlAnswer(rest);
}

/** Scans an answer that arrives in exactly these chunks. */
export function scannerOf(chunks: Chunks, options: Partial<RowScannerOptions> = {}): RowScanner {
  const answer = {
    status: 200,
    headers: {},
    chunks: each(chunks),
    destroy: () => {},
    redactor: new Redactor([]),
    bodyFault: (thrown: unknown) =>
      thrown instanceof ProjectError ? thrown : new Error('Not of the family.', { cause: thrown }),
    onRowsRead: () => {},
  };
  return new RowScanner(answer, check, {
    maxRowBytes: 1 << 26,
    exactIntegers: true,
    rowTimeout: 0,
    clock: systemClock,
    ...options,
  });
}

export async function readRows(scanner: RowScanner): Promise<Scanned> {
  const rows: Row[] = [];
  for await (const batch of scanner.batches()) rows.push(...batch);
  return { rows, fault: scanner.err() };
}

/** Cuts a document into two chunks, at each offset once. */
export function* everyCut(document: string | Uint8Array): Generator<readonly Uint8Array[]> {
  const bytes = Buffer.from(document as string);
  for (let cut = 0; cut <= bytes.length; cut++) yield [bytes.subarray(0, cut), bytes.subarray(cut)];
}

/** Cuts a document into single bytes. */
export const singleBytes = (document: string | Uint8Array): readonly Uint8Array[] =>
  Array.from(Buffer.from(document as string), byte => Uint8Array.of(byte));
