import { inspect } from 'node:util';
import { ProjectError } from '../../src/base/errors.ts';

/** Names a ProjectError by kind and code, for comparisons. Another error is shown whole. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof ProjectError ? `${thrown.kind}/${thrown.code}` : inspect(thrown);
