import type { FileSource } from './journal.ts';
import { openReader } from './readers/openReader.ts';
import { isSameFile, SourceFile, sourceChanged } from './sourceFile.ts';
import type { Place, RowReader } from './sourceRow.ts';

/** The rows that an import reads. */
export interface RowSource extends AsyncDisposable {
  readonly reader: RowReader;
  /** Whether rows may differ when they are read again. Then the journal has the batch in flight. */
  readonly isLive: boolean;
  /** The share of the rows before a place. Undefined if it is not known. */
  share(place: Place): number | undefined;
  /** Throws if the rows are not those of the plan any more. */
  requireUnchanged(): Promise<void>;
  /** Whether others have added or deleted rows meanwhile. It is asked when all rows up to a place were read. */
  isChanged(end: Place): Promise<boolean>;
}

/** Opens the source of an import. The signal aborts when the user cancels. */
export type OpenSource = (signal: AbortSignal) => Promise<RowSource>;

/** The rows of a file, which must be as it was when the import was planned. */
export async function openFileSource({ path, fingerprint, options }: FileSource): Promise<RowSource> {
  const file = await SourceFile.open(path);
  try {
    if (!isSameFile(await file.fingerprint(), fingerprint)) throw sourceChanged();
    return {
      reader: await openReader(file, options),
      isLive: false,
      share: ({ bytes }) => (bytes === 0 || file.sizeBytes === 0 ? undefined : Math.min(1, bytes / file.sizeBytes)),
      requireUnchanged: () => file.requireUnchanged(),
      isChanged: async () => false,
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await file[Symbol.asyncDispose]();
    throw thrown;
  }
}
