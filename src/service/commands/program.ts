import { messageOf } from '../../base/errors.ts';
import { type Command, type Output, UsageError } from './command.ts';
import { health } from './health.ts';
import { key } from './key.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { backup, exportProject, importProject, restore } from './projectFiles.ts';
import { init, projects } from './projects.ts';
import { serve } from './serve.ts';
import { download, upload } from './transfer.ts';
import { check, vacuum } from './upkeep.ts';

const program = 'sql-project-explorer';

const commands = new Map<string, Command>(
  Object.entries({
    serve,
    init,
    projects,
    key,
    backup,
    restore,
    export: exportProject,
    import: importProject,
    download,
    upload,
    vacuum,
    check,
    health,
    metrics,
    mcp,
  }),
);

function overview(): string {
  const lines = [...commands].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return [
    `Usage: ${program} COMMAND [options]`,
    '',
    ...lines,
    '',
    `Run "${program} help COMMAND" for the options of a command.`,
    'Exit codes: 0 success, 1 failure, 2 wrong arguments.',
  ].join('\n');
}

const helpOf = ({ usage, details }: Command): string => `Usage: ${program} ${usage}\n\n${details}`;

/** Runs a command line and gives the exit code. */
export async function runProgram([name, ...args]: readonly string[], output: Output): Promise<number> {
  try {
    await run(name, args, output);
    return 0;
  } catch (thrown) {
    output.note(`error: ${messageOf(thrown)}`);
    if (!(thrown instanceof UsageError)) return 1;
    output.note(`Run "${program} help${commands.has(name ?? '') ? ` ${name}` : ''}" to see the usage.`);
    return 2;
  }
}

async function run(name: string | undefined, args: readonly string[], output: Output): Promise<void> {
  if (name === undefined) throw new UsageError('The command is missing.');
  if (['help', '--help', '-h'].includes(name)) {
    const topic = commands.get(args[0] ?? '');
    return output.print(topic ? helpOf(topic) : overview());
  }
  const command = commands.get(name);
  if (!command) throw new UsageError(`The command "${name}" does not exist.`);
  if (args.includes('--help') || args.includes('-h')) return output.print(helpOf(command));
  await command.run(args, output);
}
