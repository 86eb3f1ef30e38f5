import type { ProjectRecord } from '../../wire/answers.ts';
import type { ProjectPair } from '../../wire/projectAnswers.ts';
import { decodeProjectPair } from '../../wire/projectRequests.ts';
import { administer, administerProject, dataOption, projectOptions } from './administer.ts';
import { type Command, type Output, required, UsageError, readArguments } from './command.ts';

export const init: Command = {
  usage: 'init --data DIR --holder HOLDER --name NAME',
  summary: 'makes a project',
  details: `  --data DIR       the data folder; a missing folder is made
  --holder HOLDER  the holder ID
  --name NAME      the project's name

Prints the project's id. If the project exists, prints its id and changes nothing.`,

  async run(args, output) {
    const { values } = readArguments(args, { ...dataOption, ...pairOptions });
    const pair = readPair(values);
    const { projectId } = await administer({ data: values.data, makesFolder: true, output }, folder =>
      folder.init(pair),
    );
    output.print(projectId);
  },
};

export const projects: Command = {
  usage: 'projects [delete --project NAME --yes] --data DIR',
  summary: 'lists the projects, or deletes one',
  details: `  --data DIR      the data folder
  --project NAME  the project to delete, by its name or id
  --yes           confirms that its data and keys are deleted for good; a backup can restore the data, but not the keys

Prints a line for each project, or for the deleted one: id, holder and name, separated by tabs. Running statements of a
deleted project are stopped.`,

  async run([action, ...args], output) {
    if (action === 'delete') return deleteProject(args, output);
    const { values } = readArguments(action === undefined ? [] : [action, ...args], dataOption);
    for (const project of await administer({ data: values.data, output }, folder => folder.projects()))
      output.print(lineOf(project));
  },
};

async function deleteProject(args: readonly string[], output: Output): Promise<void> {
  const options = { ...projectOptions, yes: { type: 'boolean' } } as const;
  const { data, project, yes = false } = readArguments(args, options).values;
  if (!yes) throw new UsageError('Nothing was deleted. Add --yes to confirm that the data is deleted for good.');
  const deleted = await administerProject({ data, project, output }, (folder, id) => folder.deleteProject(id));
  output.print(lineOf(deleted));
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
    '--holder and --name may have up to 200 characters, no control characters, and no spaces at the ends.',
  );
}
