import type { Locator } from 'playwright-core';
import { waitUntil } from './workbench/waitUntil.ts';

/** Waits until a field holds a text. The toolkit sets it a moment after the call. */
export async function fieldHolds(field: Locator, text: string): Promise<void> {
  const holds = async (): Promise<boolean> => (await field.inputValue()) === text;
  await waitUntil(holds, { what: `the field does not hold "${text}"` });
}

/** Waits until a fault is shown at a field, and is the field's error message. */
export async function showsFault(field: Locator, text: string): Promise<void> {
  const page = field.page();
  await field.and(page.locator('[aria-invalid="true"]')).waitFor();
  const id = await field.getAttribute('aria-errormessage');
  await page.locator(`[id="${id}"]`, { hasText: text }).waitFor();
}
