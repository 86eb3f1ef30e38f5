import { join } from 'node:path';
import { QuickInput } from './quickInput.ts';
import { chooseFromMenu } from './treeMenu.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** Chooses a file of the window's folder for the rows of a table or project of the tree. The answer shows the options of the import. */
export async function openImportDialog(session: WorkbenchSession, item: string, file: string): Promise<QuickInput> {
  await chooseFromMenu(session, item, 'Import Rows…');
  const input = new QuickInput(session.page);
  await input.chooseFile(join(session.folder, file));
  return input;
}
