import { messageOf } from '../base/errors.ts';
import { type Command, type Output, UsageError } from './commands/command.ts';
import { key } from './commands/key.ts';
import { backup, exportProject, importProject, restore } from './commands/projectFiles.ts';
import { init, projects } from './commands/projects.ts';
import { serve } from './commands/serve.ts';
import { check, vacuum } from './commands/upkeep.ts';

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
    vacuum,
    check,
  }),
);

const output: Output = {
  print: line => console.log(line),
  note: line => console.error(line),
};

function overview(): string {
  const lines = [...commands].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return [
    `Usage: ${program} COMMAND [options]`,
    '',
    ...lines,
    '',
    `${program} help COMMAND tells more. Exit codes: 0 done, 1 failed, 2 wrongly called.`,
  ].join('\n');
}

const helpOf = ({ usage, details }: Command): string => `Usage: ${program} ${usage}\n\n${details}`;

async function run(name: string | undefined, args: readonly string[]): Promise<void> {
  if (name === undefined) throw new UsageError('Say what to do.');
  if (['help', '--help', '-h'].includes(name)) {
    const asked = commands.get(args[0] ?? '');
    return output.print(asked ? helpOf(asked) : overview());
  }
  const command = commands.get(name);
  if (!command) throw new UsageError(`There is no command "${name}".`);
  if (args.includes('--help') || args.includes('-h')) return output.print(helpOf(command));
  await command.run(args, output);
}

const [name, ...args] = process.argv.slice(2);
try {
  await run(name, args);
} catch (thrown) {
  const wrongly = thrown instanceof UsageError;
  output.note(`error: ${messageOf(thrown)}`);
  if (wrongly) output.note(`${program} help${commands.has(name ?? '') ? ` ${name}` : ''} tells how it is called.`);
  process.exitCode = wrongly ? 2 : 1;
}
