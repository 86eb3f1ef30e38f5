import { decodeProjectPair } from '../../wire/projectRequests.ts';
import type { ProjectRecord } from '../../wire/answers.ts';
import type { ProjectPair } from '../../wire/projectAnswers.ts';
import { administer } from './administer.ts';
import { readArguments } from './arguments.ts';
import { type Command, type Output, required, UsageError } from './command.ts';

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
  usage: 'projects [delete --project ID --yes] --data DIR',
  summary: 'lists the projects, and deletes one',
  details: `  --data DIR    the data folder
  --project ID  the project to be deleted
  --yes         says that its data and its keys are to be gone for good; a backup brings them back, but for the keys

Prints a line for each project: its id, holder and name, with tabs between them. Of a project that was deleted it prints
what it was; its statements under way are ended.`,

  async run([action, ...args], output) {
    if (action === 'delete') return deleteProject(args, output);
    const { values } = readArguments(action === undefined ? [] : [action, ...args], { data: { type: 'string' } });
    for (const found of await administer(values, on => on.projects())) output.print(lineOf(found));
  },
};

async function deleteProject(args: readonly string[], output: Output): Promise<void> {
  const options = { data: { type: 'string' }, project: { type: 'string' }, yes: { type: 'boolean' } } as const;
  const { data, project, yes = false } = readArguments(args, options).values;
  required(project, '--project');
  if (!yes)
    throw new UsageError('Nothing was deleted: --yes is missing, which says that the data is to be gone for good.');
  output.print(lineOf(await administer({ data }, on => on.deleteProject(project))));
}

const lineOf = ({ projectId, holderId, projectName }: ProjectRecord): string =>
  [projectId, holderId, projectName].join('\t');

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
