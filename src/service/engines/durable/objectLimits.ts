import type { EngineDescription } from '../../../wire/projectAnswers.ts';

/** The limits of the platform. Its runtime alone takes longer values. */
export const objectLimits: EngineDescription['limits'] = {
  statementBytes: 100_000,
  columns: 100,
  valueBytes: 2_000_000,
  compoundTerms: 5,
  patternBytes: 50,
  expressionDepth: 100,
};
