import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SavedResults } from '../../src/host/results/savedResults.ts';
import { savedResultsKey, type WorkspaceStorage } from '../../src/model/savedValues.ts';
import { temporaryFolder } from './temporaryFolder.ts';

interface OpenOptions {
  /** Whether the user lets parameter values be stored. */
  readonly savesValues?: boolean;
}

export interface SavedResultsFolder {
  /** The saved results as a new window opens them. */
  open(options?: OpenOptions): SavedResults;
  readonly path: string;
  readonly state: WorkspaceStorage;
  files(): Promise<string[]>;
  addFile(name: string): Promise<void>;
  /** The list as VS Code stores it. */
  list(): unknown;
}

export function savedResultsFolder(): SavedResultsFolder {
  const folder = temporaryFolder();
  let json: string | undefined;
  const state = {
    get: (key: string) => (key === savedResultsKey && json !== undefined ? (JSON.parse(json) as unknown) : undefined),
    update(_: string, value: unknown) {
      json = JSON.stringify(value);
      return Promise.resolve();
    },
  };
  return {
    open: ({ savesValues = false } = {}) =>
      new SavedResults({
        state: state as ConstructorParameters<typeof SavedResults>[0]['state'],
        folder,
        savesValues: () => savesValues,
      }),
    path: folder,
    state,
    files: async () => (await readdir(folder)).toSorted(),
    async addFile(name) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), '');
    },
    list: () => state.get(savedResultsKey),
  };
}
