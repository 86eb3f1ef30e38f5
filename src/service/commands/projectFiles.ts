import { resolve } from 'node:path';
import type { Administration } from '../folder/administration.ts';
import { administer, administerProject, dataOption, projectOptions } from './administer.ts';
import { type Command, readArguments } from './command.ts';
import { pairOptions, readPair } from './projects.ts';

/** A command that writes a project into a new file. */
const writingCommand = (
  name: string,
  summary: string,
  note: string,
  write: (folder: Administration, id: string, file: string) => Promise<unknown>,
): Command => ({
  usage: `${name} --data DIR --project NAME FILE`,
  summary,
  details: `  --data DIR      the data folder
  --project NAME  the project, by its name or id
  FILE            a new file; existing files are not overwritten

The project may be in use. ${note}`,

  async run(args, output) {
    const { values, positionals } = readArguments(args, projectOptions, ['FILE']);
    const file = resolve(positionals[0] ?? '');
    await administerProject({ ...values, output }, (folder, id) => write(folder, id, file));
  },
});

export const backup = writingCommand(
  'backup',
  'writes a project into a backup file',
  'The backup is an SQLite database that also identifies the project. It holds no keys.',
  (folder, id, file) => folder.backup(id, file),
);

export const restore: Command = {
  usage: 'restore --data DIR [--project ID] FILE',
  summary: 'restores a project from its backup',
  details: `  --data DIR    the data folder; a missing folder is made
  --project ID  the project that the file must be; needed if this data folder did not make the backup
  FILE          a file that the backup command wrote

Restores the project with its own id, holder and name, and prints them. If the project exists, its database is replaced
and its keys stay valid. Otherwise issue new keys.`,

  async run(args, output) {
    const { values, positionals } = readArguments(args, projectOptions, ['FILE']);
    const file = resolve(positionals[0] ?? '');
    const project = await administer({ data: values.data, makesFolder: true, output }, folder =>
      folder.restore(file, values.project),
    );
    output.print([project.projectId, project.holderId, project.projectName].join('\t'));
  },
};

export const exportProject = writingCommand(
  'export',
  "writes a project's tables into an SQLite file",
  'Any program can read the file as an SQLite database.',
  (folder, id, file) => folder.exportProject(id, file),
);

export const importProject: Command = {
  usage: 'import --data DIR --holder HOLDER --name NAME FILE',
  summary: 'makes a project from an SQLite file',
  details: `  --data DIR       the data folder; a missing folder is made
  --holder HOLDER  the holder ID
  --name NAME      the project's name; the holder must not have a project of that name yet
  FILE             any SQLite database; it is not changed

Prints the project's id.`,

  async run(args, output) {
    const { values, positionals } = readArguments(args, { ...dataOption, ...pairOptions }, ['FILE']);
    const pair = readPair(values);
    const file = resolve(positionals[0] ?? '');
    const { projectId } = await administer({ data: values.data, makesFolder: true, output }, folder =>
      folder.importProject(pair, file),
    );
    output.print(projectId);
  },
};
