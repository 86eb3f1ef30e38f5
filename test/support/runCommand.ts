import assert from 'node:assert/strict';
import { runProgram } from '../../src/service/commands/program.ts';

export interface Ended {
  readonly code: number;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly notes: string;
}

/** Runs a command of the service's command line to its end, in this process. */
export async function runCommand(...args: string[]): Promise<Ended> {
  const lines: { output: string[]; notes: string[] } = { output: [], notes: [] };
  const code = await runProgram(args, { print: line => lines.output.push(line), note: line => lines.notes.push(line) });
  return { code, output: lines.output.join('\n'), notes: lines.notes.join('\n') };
}

/** The output of a command that must succeed. */
export async function outputOf(...args: string[]): Promise<string> {
  const { code, output, notes } = await runCommand(...args);
  assert.equal(code, 0, notes);
  return output;
}
