import assert from 'node:assert/strict';
import { openProjectOf } from './ownProject.ts';
import { waitForRunLens } from './sampleProject.ts';
import type { TestService } from './testService.ts';
import type { WorkbenchSession } from './workbench/session.ts';
import { waitUntil } from './workbench/waitUntil.ts';

/** Opens a project of the test's own by the name `Own`, and a file whose first line says that it belongs to it. */
export async function openOwnFile(session: WorkbenchSession, service: TestService, file: string): Promise<void> {
  await openProjectOf(session, 'Own', service);
  await session.openFile(file);
  await waitForRunLens(session);
}

/** Opens a file that names the project `Scripted` of a server that answers by script, and enters the project's key. */
export async function openScriptedFile(session: WorkbenchSession, baseUrl: string, file: string): Promise<void> {
  const { page } = session;
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Scripted', baseUrl, projectId: 'p1' }] });
  await session.openFile(file);
  await page.locator('.statusbar-item:not(.error-kind)').filter({ hasText: 'Scripted' }).waitFor();
  await session.runCommand('SQL Projects: Set API Key…');
  await page.getByRole('option', { name: 'Scripted' }).click();
  await page.locator('input[type="password"]').fill('key-of-a-test');
  await page.keyboard.press('Enter');
  await session.waitForEditorFocus();
}

/** How the statements in sight went, from the top, by the pictures beside them. */
export async function expectMarks(
  session: WorkbenchSession,
  ...wanted: ('ok' | 'failed' | 'running')[]
): Promise<void> {
  let found: string[] = [];
  const asWanted = async (): Promise<boolean> => {
    found = await marksOf(session);
    return found.join() === wanted.join();
  };
  await waitUntil(asWanted, { what: `the marks are not ${wanted.join()}` }).catch(() =>
    assert.deepEqual(found, wanted),
  );
}

async function marksOf({ page }: WorkbenchSession): Promise<string[]> {
  return page.locator('.glyph-margin-widgets .cgmr').evaluateAll(elements =>
    elements
      .map(element => ({
        top: element.getBoundingClientRect().top,
        picture: /(?:%2F|\/)(ok|failed|running)\.svg/.exec(getComputedStyle(element).backgroundImage)?.[1],
      }))
      .filter(({ picture }) => picture !== undefined)
      .toSorted((one, other) => one.top - other.top)
      .map(({ picture }) => picture ?? ''),
  );
}

/** How many lines have a bar that says which statement the cursor is in. */
export async function boundedLines({ page }: WorkbenchSession): Promise<number> {
  return page
    .locator('.view-overlays .cdr')
    .evaluateAll(elements => elements.filter(element => getComputedStyle(element).borderLeftWidth === '2px').length);
}
