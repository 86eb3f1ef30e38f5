import { type BatchOptions, type LocalBatch, type SourceBatch, rowBatches } from './batches.ts';
import type { FileSource } from './journal.ts';
import { openSourceReader } from './readers/openReader.ts';
import { isSameFile, SourceFile, sourceChanged } from './sourceFile.ts';
import type { Place } from './sourceRow.ts';

export interface RowSource extends AsyncDisposable {
  /** The rows from a place on. Called once. */
  batches(options: BatchOptions): AsyncGenerator<SourceBatch>;
  /** Whether rows may differ when they are read again. Then the journal has the batch in flight. */
  readonly isLive: boolean;
  /** The share of the rows before a place. Undefined if it is not known. */
  share(place: Place): number | undefined;
  /** Throws if the rows are no longer those of the plan. */
  requireUnchanged(): Promise<void>;
  /** Whether others have added or deleted rows since. Called when all rows up to a place were read. */
  isChanged(end: Place): Promise<boolean>;
}

/** Opens the source of an import. The signal aborts when the user cancels. */
export type OpenSource = (signal: AbortSignal) => Promise<RowSource>;

interface SourceSize {
  readonly sizeBytes: number;
  readonly rowCount: number | undefined;
}

/** Counting the rows of a larger database file would take seconds before the first row is read. */
const maxCountedBytes = 1024 ** 3;

export interface OpenFile extends RowSource {
  readonly size: SourceSize;
  batches(options: BatchOptions): AsyncGenerator<LocalBatch>;
}

/** The rows of a file, which must be as it was when the import was planned. */
export async function openFileSource({ path, fingerprint, options }: FileSource): Promise<OpenFile> {
  const file = await SourceFile.open(path);
  try {
    if (!isSameFile(await file.fingerprint(), fingerprint)) throw sourceChanged();
    const reader = await openSourceReader(file, options);
    const { sizeBytes } = file;
    const size: SourceSize = {
      sizeBytes,
      rowCount: sizeBytes <= maxCountedBytes ? await reader.countRows?.() : undefined,
    };
    return {
      size,
      batches: from => rowBatches(reader, from),
      isLive: false,
      share: shareOf(size),
      requireUnchanged: () => file.requireUnchanged(),
      isChanged: async () => false,
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await file[Symbol.asyncDispose]();
    throw thrown;
  }
}

export const shareOf =
  ({ sizeBytes, rowCount }: SourceSize): RowSource['share'] =>
  ({ bytes, rows }) => {
    if (rowCount !== undefined) return rowCount === 0 ? undefined : Math.min(1, rows / rowCount);
    // Places in a database file have no bytes.
    return bytes === 0 || sizeBytes === 0 ? undefined : Math.min(1, bytes / sizeBytes);
  };
