import { resolve } from 'node:path';
import { administer } from './administer.ts';
import { readArguments } from './arguments.ts';
import { type Command, required } from './command.ts';
import { pairOptions, readPair } from './projects.ts';

const dataOption = { data: { type: 'string' } } as const;
const projectOptions = { ...dataOption, project: { type: 'string' } } as const;

export const backup: Command = {
  usage: 'backup --data DIR --project ID FILE',
  summary: 'writes a project into one file, to be restored',
  details: `  --data DIR    the data folder
  --project ID  the project
  FILE          a new file; it is not written over an old one

The project may be in use. The file is an SQLite database that also says which project it is. It holds no keys.`,

  async run(args) {
    const { data, project, file } = readExport(args);
    await administer({ data }, on => on.backup(project, file));
  },
};

export const restore: Command = {
  usage: 'restore --data DIR FILE',
  summary: 'brings a project back from its backup',
  details: `  --data DIR  the data folder; made when it is not there
  FILE        what backup wrote

The project comes back under its own id, holder and name, which are printed. When it is there, its database is replaced
and its keys stay; else it needs new keys.`,

  async run(args, output) {
    const { values, positionals } = readArguments(args, dataOption, ['FILE']);
    const file = resolve(positionals[0] ?? '');
    const project = await administer({ data: values.data, begin: true }, on => on.restore(file));
    output.print([project.projectId, project.holderId, project.projectName].join('\t'));
  },
};

export const exportProject: Command = {
  usage: 'export --data DIR --project ID FILE',
  summary: "writes a project's tables into an SQLite file",
  details: `  --data DIR    the data folder
  --project ID  the project
  FILE          a new file; it is not written over an old one

The project may be in use. The file is a plain SQLite database for any program.`,

  async run(args) {
    const { data, project, file } = readExport(args);
    await administer({ data }, on => on.exportProject(project, file));
  },
};

export const importProject: Command = {
  usage: 'import --data DIR --holder HOLDER --name NAME FILE',
  summary: 'makes a project of an SQLite file',
  details: `  --data DIR       the data folder; made when it is not there
  --holder HOLDER  the holder identifier
  --name NAME      the project's name; there must be none of that holder and name yet
  FILE             any SQLite database

Prints the project's id. The file stays as it is.`,

  async run(args, output) {
    const { values, positionals } = readArguments(args, { ...dataOption, ...pairOptions }, ['FILE']);
    const pair = readPair(values);
    const file = resolve(positionals[0] ?? '');
    const { projectId } = await administer({ data: values.data, begin: true }, on => on.importProject(pair, file));
    output.print(projectId);
  },
};

function readExport(args: readonly string[]): { data: string | undefined; project: string; file: string } {
  const { values, positionals } = readArguments(args, projectOptions, ['FILE']);
  const { data, project } = values;
  required(project, '--project');
  return { data, project, file: resolve(positionals[0] ?? '') };
}
