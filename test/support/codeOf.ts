import { inspect } from 'node:util';
import { ProjectError } from '../../src/base/errors.ts';

/** The kind and code of an error of the family, as one word to compare; anything else shows whole. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof ProjectError ? `${thrown.kind}/${thrown.code}` : inspect(thrown);
