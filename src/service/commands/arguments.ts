import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import { UsageError } from './command.ts';

/** Reads the options of a command line, and exactly one positional argument for each of the names. */
export function readArguments<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  positionalNames: readonly string[] = [],
) {
  const parsed = parse(args, options);
  const missing = positionalNames[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  const [extra] = parsed.positionals.slice(positionalNames.length);
  if (extra !== undefined) throw new UsageError(`The argument "${extra}" is not expected.`);
  return parsed;
}

/** Reads a whole number. */
export function readNumber(option: string, text: string, { min, max }: { min: number; max?: number }): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER)) return number;
  const range = max === undefined ? `whole number from ${min} on` : `number from ${min} to ${max}`;
  throw new UsageError(`--${option} must be a ${range}.`);
}

/** The first three descriptors are the standard ones. */
export const readKeyDescriptor = (text: string): number => readNumber('key-fd', text, { min: 3 });

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    throw new UsageError(messageOf(thrown), { cause: thrown });
  }
}
