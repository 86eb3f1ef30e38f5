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
