import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import { UsageError } from './command.ts';

/** The options of a command line by name, and what stands in `positionals` places beside them. */
export function readArguments<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  positionals: readonly string[] = [],
) {
  const parsed = parse(args, options);
  const missing = positionals[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const [odd] = parsed.positionals.slice(positionals.length);
  if (odd !== undefined) throw new UsageError(`"${odd}" is one argument too many.`);
  return parsed;
}

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    throw new UsageError(messageOf(thrown), { cause: thrown });
  }
}
