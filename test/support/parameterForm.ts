import type { FrameLocator, Locator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';

/** The form for the parameters of a statement, in the page with the results. */
export interface ParameterForm {
  readonly results: FrameLocator;
  readonly root: Locator;
  readonly field: (number: number) => Locator;
}

/** Waits until a form has the focus. */
export async function waitForParameterForm(session: WorkbenchSession, project: string): Promise<ParameterForm> {
  const results = await session.webviewFrame('SQL Results');
  const root = results.getByRole('dialog', { name: `Parameters of the statement in ${project}` });
  await root.locator('input:focus').waitFor();
  return { results, root, field: number => root.getByRole('textbox').nth(number - 1) };
}
