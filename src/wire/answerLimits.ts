import { type ProjectError, protocolError } from '../base/errors.ts';
import type { JsonLimits } from '../base/jsonBytes.ts';

/**
 * The most that one row of an answer may hold, and the most that the rest of the answer may hold. A few bytes of JSON can take
 * a hundred times their size in memory. Within these limits, no answer ends a process or blocks it.
 */
export const answerLimits = {
  maxDepth: 100,
  maxValues: 100_000,
  maxBlanks: 64 * 1024,
} as const satisfies JsonLimits;

/** How large the rest of an answer may be beside its rows, and how large an answer without rows. */
export const maxRestBytes = 8 * 1024 * 1024;

/** The error for a limit that is exceeded by `part`, the subject of its message. */
export function limitFault(exceeded: keyof JsonLimits, part: string): ProjectError {
  const { maxDepth, maxValues, maxBlanks } = answerLimits;
  switch (exceeded) {
    case 'maxDepth':
      return protocolError('answer_too_deep', `${part} nests arrays or objects more than ${maxDepth} levels deep.`);
    case 'maxValues':
      return protocolError('answer_too_large', `${part} holds more than ${maxValues} values.`);
    case 'maxBlanks':
      return protocolError('too_many_blanks', `${part} has more than ${maxBlanks} blanks next to each other.`);
  }
}
