import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { nearestNames } from '../../sql/fixes/nearestNames.ts';

export interface Command {
  /** The arguments, after the program's name. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The options, and further notes. */
  readonly details: string;
  run(args: readonly string[], output: Output, clock?: Clock): Promise<void>;
}

export interface Output {
  /** Writes the command's result to the standard output. */
  print(line: string): void;
  /** Writes other messages to the standard error output. */
  note(line: string): void;
}

export class UsageError extends Error {}

/** A hint for a misspelt name, or nothing. */
export function didYouMean(name: string, names: Iterable<string>, prefix = ''): string {
  const { names: nearest, isClear } = nearestNames(name, names);
  return isClear && nearest[0] !== undefined ? ` Did you mean ${prefix}${nearest[0]}?` : '';
}

export function required(value: string | undefined, option: string): asserts value is string {
  if (value === undefined || value === '') throw new UsageError(`The option ${option} is missing.`);
}

/** Requires exactly one positional argument for each of the names. */
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

export function readNumber(option: string, text: string, { min, max }: { min: number; max?: number }): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER)) return number;
  const range = max === undefined ? `whole number from ${min} on` : `number from ${min} to ${max}`;
  throw new UsageError(`--${option} must be a ${range}.`);
}

/** The first three descriptors are the standard ones. */
export const readKeyDescriptor = (text: string): number => readNumber('key-fd', text, { min: 3 });

/**
 * Imports a bundle that the service itself does not need, or its source when the service runs from source. An installation may
 * lack the bundle.
 */
export async function loadBundle<T>(names: { source: string; bundle: string }, missing: string): Promise<T> {
  const name = extname(import.meta.url) === '.ts' ? names.source : names.bundle;
  const url = new URL(name, import.meta.url);
  if (existsSync(fileURLToPath(url))) return (await import(url.href)) as T;
  throw new Error(`${missing} Install the package sql-project-explorer, or build it first.`);
}

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const [, option] = /^Unknown option '--([\w-]+)'/.exec(messageOf(thrown)) ?? [];
    const message = option === undefined ? messageOf(thrown) : `There is no option --${option}.`;
    throw new UsageError(message + didYouMean(option ?? '', Object.keys(options), '--'), { cause: thrown });
  }
}
