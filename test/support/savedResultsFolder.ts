import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { SavedResults } from '../../src/host/results/savedResults.ts';
import { savedResultsKey, type WorkspaceStorage } from '../../src/model/savedValues.ts';

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

/** A workspace's storage that is removed when the test has ended. */
export async function savedResultsFolder(context: TestContext): Promise<SavedResultsFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'saved-results-'));
  context.after(() => rm(folder, { recursive: true }));
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
