/** Tables for the process that generates rows. Run as a program, it generates rows that take forever. */
import { fileURLToPath } from 'node:url';
import type { GeneratedTable } from '../../src/model/generating/generatedTable.ts';
import { generateInProcess } from '../../src/model/generating/process/generatorProcess.ts';

export const generatorEntry = fileURLToPath(new URL('../../src/model/generating/process/main.ts', import.meta.url));

const tableWith = (check: string): GeneratedTable => ({
  name: 't',
  columns: ['a', 'b'].map(name => ({
    name,
    type: 'INTEGER',
    affinity: 'integer' as const,
    notNull: false,
    defaultValue: null,
    primaryKey: 0,
    isGenerated: false,
  })),
  limits: new Map(),
  rowIdColumn: undefined,
  isStrict: false,
  uniqueKeys: [],
  references: [],
  largest: new Map([['a', 10n]]),
  rowCount: 0,
  definition: `CREATE TABLE t (a INTEGER, b INTEGER ${check})`,
  uniqueIndexes: [],
});

export const smallTable = tableWith('CHECK (b IS NULL OR b % 2 = 0)');
/** SQLite compares eight million bytes with four million of them at each place. */
export const endlessTable = tableWith(`CHECK (instr(zeroblob(8000000), zeroblob(4000000) || x'01') IS NOT NULL)`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = process.argv[2]!;
  await generateInProcess({ table: endlessTable, seed: 7, count: 1, path }, { entry: generatorEntry });
}
