import type { UnknownRecord } from '../../src/base/decode.ts';
import { ProjectError } from '../../src/base/errors.ts';
import { RowScanner, type RowScannerOptions } from '../../src/client/rowScanner.ts';
import { faultOf } from '../../src/wire/serviceError.ts';
import type { Row } from '../../src/wire/values.ts';

export interface Scanned {
  readonly rows: readonly Row[];
  readonly fault: Error | undefined;
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Scans an answer that arrives in exactly these chunks. */
export function scannerOf(chunks: readonly Uint8Array[], options: Partial<RowScannerOptions> = {}): RowScanner {
  const source = {
    status: 200,
    replayed: false,
    body: each(chunks),
    refusalOf: (answer: UnknownRecord) => faultOf(200, answer),
    faultOf: (thrown: unknown) =>
      thrown instanceof ProjectError ? thrown : new Error('Not of the family.', { cause: thrown }),
    release: () => {},
  };
  return new RowScanner(source, { maxRowBytes: 1 << 26, exactIntegers: true, ...options });
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
