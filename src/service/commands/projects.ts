import { decodeProjectPair } from '../../wire/projectRequests.ts';
import type { ProjectPair } from '../../wire/projectAnswers.ts';
import { administer } from './administer.ts';
import { readArguments } from './arguments.ts';
import { type Command, required, UsageError } from './command.ts';

export const init: Command = {
  usage: 'init --data DIR --holder HOLDER --name NAME',
  summary: 'makes a project',
  details: `  --data DIR       the data folder; made when it is not there
  --holder HOLDER  the holder identifier
  --name NAME      the project's name

Prints the project's id. A project that is there already is not made again, and its id is printed.`,

  async run(args, output) {
    const { values } = readArguments(args, { data: { type: 'string' }, ...pairOptions });
    const pair = readPair(values);
    const { projectId } = await administer({ data: values.data, begin: true }, on => on.init(pair));
    output.print(projectId);
  },
};

export const projects: Command = {
  usage: 'projects --data DIR',
  summary: 'lists the projects',
  details: `  --data DIR  the data folder

Prints a line for each project: its id, holder and name, with tabs between them.`,

  async run(args, output) {
    const { values } = readArguments(args, { data: { type: 'string' } });
    for (const { projectId, holderId, projectName } of await administer(values, on => on.projects())) {
      output.print([projectId, holderId, projectName].join('\t'));
    }
  },
};

export const pairOptions = { holder: { type: 'string' }, name: { type: 'string' } } as const;

export function readPair({ holder, name }: { holder?: string | undefined; name?: string | undefined }): ProjectPair {
  required(holder, '--holder');
  required(name, '--name');
  const pair = decodeProjectPair({ holder_id: holder, project_name: name });
  if (typeof pair !== 'string') return pair;
  throw new UsageError(
    '--holder and --name take up to 200 characters, without blanks around them and control characters.',
  );
}
