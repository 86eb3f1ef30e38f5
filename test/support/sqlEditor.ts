import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openProjectOf } from './ownProject.ts';
import { QuickInput } from './quickInput.ts';
import { waitForRunLens } from './sampleProject.ts';
import type { TestService } from './testService.ts';
import { lineDecorations, marginIcons } from './workbench/editorParts.ts';
import type { WorkbenchSession } from './workbench/session.ts';
import { waitUntil } from './workbench/waitUntil.ts';
import { projectStatusItem } from './workbench/workbenchParts.ts';

/** The services whose key a window has. */
const servicesByWindow = new WeakMap<Page, Set<TestService>>();

/** Opens the service's project by the name `Own`, and a file whose first line names it. */
export async function openOwnFile(session: WorkbenchSession, service: TestService, file: string): Promise<void> {
  const services = servicesByWindow.get(session.page) ?? new Set();
  const { baseUrl, projectId } = service;
  if (services.has(service)) {
    await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Own', baseUrl, projectId }] });
  } else await openProjectOf(session, 'Own', service);
  servicesByWindow.set(session.page, services.add(service));
  await session.openFile(file);
  await waitForRunLens(session);
}

/** Opens a file that names the project `Scripted` of a scripted server, and enters the project's key. */
export const openScriptedFile = (session: WorkbenchSession, baseUrl: string, file: string): Promise<void> =>
  openFileOf(session, { name: 'Scripted', baseUrl, projectId: 'p1' }, file);

/** Opens a file that names a project of the settings, and enters the project's key. */
export async function openFileOf(
  session: WorkbenchSession,
  project: { readonly name: string; readonly baseUrl: string; readonly projectId: string },
  file: string,
): Promise<void> {
  const { page } = session;
  await session.setFolderSettings({ 'sqlProjects.projects': [project] });
  await session.openFile(file);
  // The name at the head of the file is unknown until the setting is read.
  await projectStatusItem(page, project.name).waitFor();
  await session.runCommand('SQL Projects: Set API Key…');
  await page.getByRole('option', { name: project.name }).click();
  await new QuickInput(page).enterKey('canary-key-0123456789');
  await session.waitForEditorFocus();
}

/** Waits for these marks beside the visible statements, from the top. */
export async function expectMarks(
  session: WorkbenchSession,
  ...expected: ('ok' | 'failed' | 'running' | 'cancelled' | 'limited')[]
): Promise<void> {
  let marks: string[] = [];
  const areAsExpected = async (): Promise<boolean> => {
    marks = await visibleMarks(session);
    return marks.join() === expected.join();
  };
  await waitUntil(areAsExpected, { what: `the marks are not ${expected.join()}` }).catch(() =>
    assert.deepEqual(marks, expected),
  );
}

async function visibleMarks({ page }: WorkbenchSession): Promise<string[]> {
  return marginIcons(page).evaluateAll(elements =>
    elements
      .map(element => ({
        top: element.getBoundingClientRect().top,
        kind: /(?:%2F|\/)(ok|failed|running|cancelled|limited)\.svg/.exec(
          getComputedStyle(element).backgroundImage,
        )?.[1],
      }))
      .filter(({ kind }) => kind !== undefined)
      .toSorted((one, other) => one.top - other.top)
      .map(({ kind }) => kind ?? ''),
  );
}

/** The number of lines with the background of the statement at the cursor. */
export async function boundedLines({ page }: WorkbenchSession): Promise<number> {
  return lineDecorations(page).evaluateAll(
    elements => elements.filter(element => getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)').length,
  );
}
