/** One command of the program. */
export interface Command {
  /** What stands behind the program's name. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The options, and what there is to know besides. */
  readonly details: string;
  run(args: readonly string[], output: Output): Promise<void>;
}

export interface Output {
  /** What the command was asked for. */
  print(line: string): void;
  /** What a person should know besides. */
  note(line: string): void;
}

/** The command was called in a way that it does not take. */
export class UsageError extends Error {}

export function required(value: string | undefined, option: string): asserts value is string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing.`);
}
