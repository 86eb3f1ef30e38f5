import { administer } from './administer.ts';
import { readArguments } from './arguments.ts';
import { type Command, required } from './command.ts';

const options = { data: { type: 'string' }, project: { type: 'string' } } as const;

export const vacuum: Command = {
  usage: 'vacuum --data DIR --project ID',
  summary: "releases the disk space of a project's deleted rows",
  details: `  --data DIR    the data folder
  --project ID  the project`,

  async run(args, output) {
    const { data, project } = readArguments(args, options).values;
    required(project, '--project');
    await administer({ data, output }, folder => folder.vacuum(project));
  },
};

export const check: Command = {
  usage: 'check --data DIR --project ID',
  summary: "checks that a project's database is sound",
  details: `  --data DIR    the data folder
  --project ID  the project

Prints "ok", or a line for each problem and ends with exit code 1.`,

  async run(args, output) {
    const { data, project } = readArguments(args, options).values;
    required(project, '--project');
    const problems = await administer({ data, output }, folder => folder.check(project));
    for (const problem of problems) output.print(problem);
    if (problems.length > 0) throw new Error('The database is damaged. Restore it from a backup.');
    output.print('ok');
  },
};
