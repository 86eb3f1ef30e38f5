import type { EngineDescription } from '../../../wire/projectAnswers.ts';

/** `columns` and `compoundTerms` are SQLite's own limits. The others are lower, so that preparing needs little memory and time. */
export const sqliteLimits = {
  statementBytes: 4_000_000,
  columns: 2000,
  valueBytes: 64_000_000,
  compoundTerms: 500,
  patternBytes: 10_000,
  expressionDepth: 500,
} as const satisfies EngineDescription['limits'];
