import { type ProjectError, protocolError } from '../base/errors.ts';
import type { JsonLimits } from '../base/jsonBytes.ts';

/**
 * The most that one row of an answer may hold. A few bytes of JSON can take a hundred times their size in memory. Within these
 * limits, no answer ends a process, or blocks it for long.
 */
export const answerLimits = {
  maxDepth: 100,
  /** SQLite has at most 32,767 columns. */
  maxValues: 50_000,
  maxBlanks: 64 * 1024,
} as const satisfies JsonLimits;

/** The most that the rest of an answer may hold beside its rows, or an answer without rows. It is read piece by piece. */
export const restLimits = {
  ...answerLimits,
  /** `columns` has three values for each column. */
  maxValues: 100_000,
} as const satisfies JsonLimits;

/** How large the rest of an answer may be beside its rows, and how large an answer without rows. */
export const maxRestBytes = 8 * 1024 * 1024;

/** How large the answer may be to a statement that the extension asks for itself: a number, a plan, or no rows. */
export const maxSmallAnswerBytes = 8 * 1024 * 1024;

/** The error for a limit that a row exceeds. */
export const rowFault = (exceeded: keyof JsonLimits): ProjectError =>
  limitFault(exceeded, answerLimits, 'A row of the answer');

/** The error for a limit that the rest of an answer exceeds. */
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
