import type { Clock } from '../../base/clock.ts';

/** One command of the program. */
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

/** The arguments of a command are wrong. */
export class UsageError extends Error {}

export function required(value: string | undefined, option: string): asserts value is string {
  if (value === undefined || value === '') throw new UsageError(`The option ${option} is missing.`);
}
