import { messageOf } from '../../base/errors.ts';
import { redacted } from '../../wire/headers.ts';
import { type Command, didYouMean, type Output, UsageError } from './command.ts';
import { VERSION } from '../../wire/version.ts';
import { check, vacuumCommand, metrics, health } from './upkeep.ts';
import { key } from './key.ts';
import { mcp } from './mcp.ts';
import { backup, exportProject, importProject, restore } from './projectFiles.ts';
import { init, projects } from './projects.ts';
import { serveCommand } from './serve.ts';
import { downloadCommand, uploadCommand } from './transfer.ts';

const program = 'sql-project-explorer';

const commands = new Map<string, Command>(
  Object.entries({
    serve: serveCommand,
    init,
    projects,
    key,
    backup,
    restore,
    export: exportProject,
    import: importProject,
    download: downloadCommand,
    upload: uploadCommand,
    vacuum: vacuumCommand,
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
    `"${program} --version" prints the version. Exit codes: 0 success, 1 failure, 2 wrong arguments.`,
  ].join('\n');
}

const helpOf = ({ usage, details }: Command): string => `Usage: ${program} ${usage}\n\n${details}`;

/**
 * Blanks secrets in a line. Messages repeat arguments, and a user may have typed a key in the place of another argument. A key of
 * another service is long, with digits and letters of both cases. An address may have a secret user name, password or query.
 */
function withoutKeys(line: string, commandLine: readonly string[]): string {
  const clean = commandLine
    .flatMap(argument => argument.match(/[\w+~-]{24,}/g) ?? [])
    .filter(text => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))
    .reduce((text, secret) => text.replaceAll(secret, redacted), line);
  const withoutUser = clean.replaceAll(/sqlp_[\w-]+/gi, redacted).replaceAll(/:\/\/\S+@/g, `://${redacted}@`);
  return withoutUser.replaceAll(/(:\/\/[^\s?#]+[?#])[^\s"']+/g, `$1${redacted}`);
}

/** Returns the exit code. */
export async function runProgram(commandLine: readonly string[], output: Output): Promise<number> {
  const [name, ...args] = commandLine;
  const print = (line: string): void => output.print(line);
  const note = (line: string): void => output.note(withoutKeys(line, commandLine));
  try {
    if (commandLine.some(argument => /sqlp_[\w-]{20,}/i.test(argument)))
      throw new UsageError('An argument has an API key in it, which others can read. Use an id, not the key itself.');
    await run(name, args, { print, note });
    return 0;
  } catch (thrown) {
    note(`error: ${messageOf(thrown)}`);
    if (!(thrown instanceof UsageError)) return 1;
    const command = commands.get(name ?? '');
    const isBare = args.length === 0;
    if (isBare && (command || name === undefined)) note(`\n${command ? helpOf(command) : overview()}`);
    else note(`Run "${program} help${command ? ` ${name}` : ''}" to see the usage.`);
    return 2;
  }
}

async function run(name: string | undefined, args: readonly string[], output: Output): Promise<void> {
  if (name === undefined) throw new UsageError('The command is missing.');
  if (['help', '--help', '-h'].includes(name)) {
    const topic = commands.get(args[0] ?? '');
    return output.print(topic ? helpOf(topic) : overview());
  }
  if (['version', '--version', '-v'].includes(name)) return output.print(VERSION);
  const command = commands.get(name);
  if (!command) throw new UsageError(`The command "${name}" does not exist.${didYouMean(name, commands.keys())}`);
  if (args.includes('--help') || args.includes('-h')) return output.print(helpOf(command));
  await command.run(args, output);
}
