import { pressUntilShown } from './pressUntilShown.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** Opens the list of quick fixes at the cursor, with one that has this title. The faults may still change. */
export const openQuickFixes = (session: WorkbenchSession, title: string): Promise<void> =>
  pressUntilShown(session, 'Control+.', session.page.getByRole('listbox', { name: 'Action Widget' }).getByText(title));
