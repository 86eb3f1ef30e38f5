import { misuse } from '../../base/errors.ts';
import { distinctKeysOf } from './distinctKeys.ts';
import { type GeneratedTable, isNotNull } from './generatedTable.ts';
import { RowRandom } from './random.ts';
import { type GrowingRow, refersToItself, slotsOf, writtenColumns } from './slots.ts';
import { openTrial, type RowRefusal, type TrialDatabase } from './trialDatabase.ts';

export const maxGeneratedRows = 1_000_000;
const maxFileBytes = 2 ** 30;
const maxAttempts = 300;
/** Checks that take longer block the process, in milliseconds. */
const maxRowMs = 2000;
/** Other work of the process comes between turns of this length, in milliseconds. */
const turnMs = 15;

export interface GenerateRequest {
  readonly table: GeneratedTable;
  readonly seed: number;
  readonly count: number;
  /** The database file that gets the rows. It must not exist. */
  readonly path: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (rowCount: number) => void;
}

/** Why there are fewer rows than requested. `keysExhausted`: the rows have all values that a key allows. */
export type RowLimit = RowRefusal | { readonly kind: 'keysExhausted' | 'noReference' | 'tooLarge' | 'tooSlow' };

export interface GeneratedRows {
  readonly rowCount: number;
  readonly limit: RowLimit | undefined;
  /** Why the rows were not tried against the checks of the table. */
  readonly definitionFault: string | undefined;
}

/** Writes rows that fit a table into a database file, in a table of its name. The same seed and table give the same rows. */
export async function generateRows(request: GenerateRequest): Promise<GeneratedRows> {
  const { table, seed, count, path, signal, onProgress } = request;
  requireReferences(table);
  const columns = writtenColumns(table).map(({ name }) => name);
  using trial = await openTrial(path, table, columns);
  const makeRow = rowMaker(table, seed);
  const { definitionFault } = trial;
  let limit: RowLimit | undefined;
  let rowCount = 0;
  let turnEnd = performance.now() + turnMs;
  while (rowCount < Math.min(count, maxGeneratedRows) && limit === undefined) {
    limit = addRow(trial, makeRow, rowCount);
    if (limit === undefined) rowCount++;
    if (performance.now() < turnEnd) continue;
    if (trial.sizeBytes() > maxFileBytes) limit = { kind: 'tooLarge' };
    onProgress?.(rowCount);
    await new Promise(setImmediate);
    signal?.throwIfAborted();
    turnEnd = performance.now() + turnMs;
  }
  trial.commit();
  return { rowCount, limit, definitionFault };
}

/** Tries rows until one passes. Returns why none does, or undefined if one passed. */
function addRow(trial: TrialDatabase, makeRow: ReturnType<typeof rowMaker>, number: number): RowLimit | undefined {
  const started = performance.now();
  let refusal: RowLimit = { kind: 'noReference' };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (performance.now() - started > maxRowMs) return { kind: 'tooSlow' };
    const row = makeRow(number, attempt);
    if (row === 'exhausted') return { kind: 'keysExhausted' };
    if (row === undefined) continue;
    const refused = trial.add(row);
    if (!refused) return undefined;
    refusal = refused;
  }
  return refusal;
}

/** Makes the function that makes rows. It returns undefined if an attempt makes no row. */
function rowMaker(
  table: GeneratedTable,
  seed: number,
): (number: number, attempt: number) => GrowingRow | undefined | 'exhausted' {
  const slots = slotsOf(table);
  const distinct = distinctKeysOf(table, slots, seed);
  const free = slots.filter(slot => !distinct.some(key => key.slots.includes(slot)));
  return (number, attempt) => {
    const random = new RowRandom(seed, number, attempt);
    const row: GrowingRow = new Map();
    for (const key of distinct) if (!key.putNext(row, random)) return 'exhausted';
    return free.every(slot => slot.putRandom(row, random)) ? row : undefined;
  };
}

/** A foreign key that must have a value needs a row to refer to. */
function requireReferences(table: GeneratedTable): void {
  for (const reference of table.references) {
    const { columns, table: other, rows, isCircle } = reference;
    const mustRefer = columns.every(name => isNotNull(table, name));
    if (rows.length > 0 || !mustRefer || refersToItself(table, reference)) continue;
    const remedy = isCircle
      ? ` and needs rows of '${table.name}' for them. No statement can add the first row: let one of the foreign keys be NULL.`
      : '. Generate rows for that table first.';
    throw misuse('no_referenced_rows', `'${columns.join(', ')}' refers to '${other}', which has no rows${remedy}`);
  }
}
