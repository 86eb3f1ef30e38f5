import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkbenchSession } from './session.ts';
import { waitUntil } from './waitUntil.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Reads the settings file of the open folder. */
export function folderSettings({ folder }: WorkbenchSession): Promise<Settings> {
  return settingsIn(join(folder, '.vscode/settings.json'));
}

/** Reads the user's settings file. */
export function userSettings({ server }: WorkbenchSession): Promise<Settings> {
  return settingsIn(join(server.userDataDir, 'User/settings.json'));
}

/** VS Code writes the file in place, so a reader may find half of it. */
async function settingsIn(file: string): Promise<Settings> {
  const complete = async (): Promise<Settings | false> => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Settings;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };
  return (await waitUntil(complete, { what: `${file} stays half written` })) || {};
}
