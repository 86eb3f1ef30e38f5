import type { EngineDescription } from '../../../wire/projectAnswers.ts';

/** The limits of workerd. */
export const objectLimits: EngineDescription['limits'] = {
  statementBytes: 100_000,
  columns: 100,
  valueBytes: 8_388_642,
  compoundTerms: 5,
  patternBytes: 50,
  expressionDepth: 100,
};

/** The platform has lower limits than its runtime alone. */
export const hostedLimits: EngineDescription['limits'] = { ...objectLimits, valueBytes: 2_000_000 };
