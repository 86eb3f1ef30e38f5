import type { EngineDescription } from '../../../wire/projectAnswers.ts';

/** The last two are those of SQLite itself. The others are lower, so that a statement needs little memory and time to be read. */
export const sqliteLimits = {
  statementBytes: 4_000_000,
  valueBytes: 64_000_000,
  expressionDepth: 500,
  patternBytes: 10_000,
  columns: 2000,
  compoundTerms: 500,
} as const satisfies EngineDescription['limits'];
