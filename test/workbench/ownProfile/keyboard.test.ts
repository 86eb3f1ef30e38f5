import type { FrameLocator, Locator } from 'playwright-core';
import { keyPrompt, QuickInput } from '../../support/quickInput.ts';
import { openTestService, type TestService } from '../../support/testService.ts';
import { focusedRow, focusTree, goToRow } from '../../support/treeMenu.ts';
import type { WorkbenchSession } from '../../support/workbench/session.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

/** Answers all prompts of Add Project. */
async function answerPrompts(input: QuickInput, service: TestService): Promise<void> {
  await input.answer('Address of the service', service.baseUrl);
  await input.answer('API key', service.apiKey);
  await input.answer('Display name', 'Shop');
}

workbenchTest(
  'adding a project from the welcome view and using its tables works with keys alone',
  { ownProfile: {} },
  async session => {
    await using service = await openTestService();
    const { keyboard } = session.page;
    const input = new QuickInput(session.page);
    const focused = session.page.locator(':focus');
    await focusTree(session);
    // Wait for the welcome view: it replaces the element that has the focus first.
    await session.page.getByRole('button', { name: 'Try It Locally' }).waitFor();
    await focusTree(session);
    await session.page.getByLabel('Welcome', { exact: true }).and(focused).waitFor();
    await keyboard.press('Tab');
    await session.page.getByRole('button', { name: 'Try It Locally' }).and(focused).waitFor();
    await keyboard.press('Tab');
    const add = session.page.getByRole('button', { name: 'Add Project', exact: true });
    await add.and(focused).waitFor();
    // A window that still starts may replace the welcome view once more.
    await add.press('Enter');
    await input.answer('Address of the service', service.baseUrl);
    await input.answer('API key', 'wrong-key');
    await input.answer(/rejected the API key/, service.apiKey);
    await input.answer('Display name', 'Shop');
    await focusedRow(session).and(session.treeItem('Shop')).waitFor();

    await session.treeItem('customers').waitFor();
    await goToRow(session, 'customers');
    await keyboard.press('ArrowRight');
    await session.treeItem(/^email /).waitFor();
    await goToRow(session, /^email /);
    await goToRow(session, 'customers', 'ArrowUp');
    await keyboard.press('Shift+F10');
    await session.page.getByRole('menuitem', { name: 'Drop…' }).waitFor();
    await keyboard.press('End');
    await keyboard.press('Enter');
    await session.page.getByRole('dialog', { name: /Drop table 'customers'/ }).waitFor();
    await keyboard.press('Escape');
    await focusedRow(session).and(session.treeItem('customers')).waitFor();
  },
);

workbenchTest(
  'the projects page works with keys alone and never loses the focus',
  { ownProfile: {} },
  async session => {
    await using service = await openTestService();
    const { keyboard } = session.page;
    const input = new QuickInput(session.page);
    await session.runCommand('SQL Projects: Add Project…');
    await answerPrompts(input, service);
    await session.treeItem('customers').waitFor();
    await session.runCommand('SQL Projects: Manage Projects');
    const content = await session.webviewFrame('Manage Projects');
    await content.getByRole('listitem').waitFor();

    await tabTo(session, content, 'Replace API Key… Shop');
    await keyboard.press('Enter');
    await input.enterKey(service.apiKey);
    await waitForFocus(content, 'Replace API Key… Shop');
    await keyboard.press('Enter');
    await input.waitForPrompt(keyPrompt);
    await keyboard.press('Escape');
    await waitForFocus(content, 'Replace API Key… Shop');

    await tabTo(session, content, 'Forget API Key Shop');
    await keyboard.press('Enter');
    await session.page.getByRole('dialog').getByText("Forget the API key of 'Shop'?").waitFor();
    // The first button shows the project.
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await waitForFocus(content, 'Set API Key… Shop');

    await tabTo(session, content, 'Test Connection Shop');
    await keyboard.press('Enter');
    await tabTo(session, content, 'Set API Key Shop');
    await keyboard.press('Enter');
    await input.enterKey(service.apiKey);
    await waitForFocus(content, 'Test Connection Shop');
    await keyboard.press('Enter');
    await content.getByRole('status').filter({ hasText: "'Shop' answered" }).waitFor();

    await tabTo(session, content, 'Edit Shop');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.type('Market');
    await keyboard.press('Enter');
    await content.getByRole('heading', { name: 'Market' }).waitFor();
    await waitForFocus(content, 'Display name (optional)');
    await tabTo(session, content, 'Protection');
    await keyboard.press('Enter');
    await keyboard.press('End');
    await keyboard.press('Enter');
    await tabTo(session, content, 'Save Market');
    await keyboard.press('Enter');
    await content.getByRole('heading', { name: 'Market' }).filter({ hasText: 'Read-only' }).waitFor();
    await waitForFocus(content, 'Save Market');

    await tabTo(session, content, 'Remove Project… Market', 'Shift+Tab');
    await keyboard.press('Enter');
    await session.page.getByRole('dialog').getByText("Remove 'Market' from your settings?").waitFor();
    // The first button shows the project.
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await waitForFocus(content, 'Add Project…');
    await keyboard.press('Enter');
    await input.waitForPrompt('Address of the service');
    await keyboard.press('Escape');
    await waitForFocus(content, 'Add Project…');
  },
);

/** The focused element of this name. Elements of the toolkit have their name in their shadow tree. */
const focusedElement = (content: FrameLocator, name: string): Locator =>
  content.locator(':focus').and(
    content
      .getByRole('button', { name, exact: true })
      .or(content.getByRole('textbox', { name, exact: true }))
      .or(content.getByRole('combobox', { name, exact: true }))
      .or(content.locator(`summary[aria-label="${name}"]`)),
  );

/** Waits until the focus stays on the element: it comes and goes while a prompt of VS Code closes. */
async function waitForFocus(content: FrameLocator, name: string): Promise<void> {
  await focusedElement(content, name).evaluate(
    () =>
      new Promise<void>(resolve => {
        let framesWithFocus = 0;
        const count = (): void => {
          framesWithFocus = document.hasFocus() ? framesWithFocus + 1 : 0;
          if (framesWithFocus < 15) requestAnimationFrame(count);
          else resolve();
        };
        count();
      }),
  );
  await focusedElement(content, name).waitFor();
}

async function tabTo(session: WorkbenchSession, content: FrameLocator, name: string, key = 'Tab'): Promise<void> {
  for (let pressed = 0; pressed < 40 && !(await focusedElement(content, name).count()); pressed++) {
    await session.page.keyboard.press(key);
  }
  await waitForFocus(content, name);
}
