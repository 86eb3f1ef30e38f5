import { join } from 'node:path';
import { QuickInput } from './quickInput.ts';
import { chooseFromMenu } from './treeMenu.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** Begins the import of a file of the window's folder into an item of the tree, and gives the list of its options. */
export async function openImportDialog(session: WorkbenchSession, item: string, file: string): Promise<QuickInput> {
  await chooseFromMenu(session, item, 'Import Rows…');
  const input = new QuickInput(session.page);
  await input.chooseFile(join(session.folder, file));
  return input;
}
