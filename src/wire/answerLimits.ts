import { type ProjectError, protocolError } from '../base/errors.ts';
import type { JsonLimits } from '../base/jsonBytes.ts';

/**
 * The limits of one row of an answer. A few bytes of JSON can take a hundred times their size in memory. Without limits, an
 * answer could end a process or block it for long.
 */
export const answerLimits = {
  maxDepth: 100,
  /** SQLite has at most 32,767 columns. */
  maxValues: 50_000,
  maxBlanks: 64 * 1024,
} as const satisfies JsonLimits;

/** The limits of an answer without its rows. It is read piece by piece. */
export const restLimits = {
  ...answerLimits,
  /** `columns` has three values for each column. */
  maxValues: 100_000,
} as const satisfies JsonLimits;

/** The largest size of an answer without its rows. */
export const maxRestBytes = 8 * 1024 * 1024;

/** The largest answer to a statement of the extension itself, which returns a number, a plan or no rows. */
export const maxSmallAnswerBytes = 8 * 1024 * 1024;

export const rowFault = (exceeded: keyof JsonLimits): ProjectError =>
  limitFault(exceeded, answerLimits, 'A row of the answer');

export const restFault = (exceeded: keyof JsonLimits): ProjectError => limitFault(exceeded, restLimits, 'The answer');

function limitFault(exceeded: keyof JsonLimits, limits: JsonLimits, part: string): ProjectError {
  switch (exceeded) {
    case 'maxDepth':
      return protocolError(
        'answer_too_deep',
        `${part} nests arrays or objects more than ${limits.maxDepth} levels deep.`,
      );
    case 'maxValues':
      return protocolError('answer_too_large', `${part} holds more than ${limits.maxValues} values.`);
    case 'maxBlanks':
      return protocolError('too_many_blanks', `${part} has more than ${limits.maxBlanks} blanks next to each other.`);
  }
}
