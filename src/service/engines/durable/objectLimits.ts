import type { EngineDescription } from '../../../wire/projectAnswers.ts';

/** The platform sets these limits. */
export const objectLimits: EngineDescription['limits'] = {
  statementBytes: 100_000,
  columns: 100,
  valueBytes: 8_388_642,
  compoundTerms: 5,
  patternBytes: 50,
  expressionDepth: 100,
};
