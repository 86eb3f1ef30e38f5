import type { Locator } from 'playwright-core';
import { goToLine } from '../support/sampleProject.ts';
import { codeTokens, editorLines, signatureHelp } from '../support/workbench/editorParts.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const text = `-- @project Sample Shop
select "name", [id], 'text', upper(name) from customers where id = ?;
insert into customers (id, name) values (1, 'Ada');
`;

/** The lines of the editor. */
const linesWith = ({ page }: WorkbenchSession, hasText: RegExp): Locator => editorLines(page).filter({ hasText });

/** The color of a token in the editor. */
async function colorOf({ page }: WorkbenchSession, token: string): Promise<string | undefined> {
  const colors = await codeTokens(editorLines(page)).evaluateAll(
    (spans, searchedText) =>
      spans.filter(({ textContent }) => textContent.trim() === searchedText).map(span => getComputedStyle(span).color),
    token,
  );
  return colors[0];
}

workbenchTest(
  'SQL has the colors of its dialect, hints for values and parameters, and is formatted',
  { files: { 'shop.sql': text } },
  async session => {
    const { page } = session;
    await session.openFile('shop.sql');
    const areNames = async (): Promise<boolean> => {
      const name = await colorOf(session, '"name"');
      return (
        name !== undefined && name === (await colorOf(session, 'name')) && name !== (await colorOf(session, "'text'"))
      );
    };
    await waitUntil(areNames, { what: 'quoted names have the color of strings' });
    await linesWith(session, /id:.*1,.*name:.*'Ada'/).waitFor();
    await session.screenshot('sql editing');
    await goToLine(session, 4);
    await page.keyboard.type('select substr(name, ');
    const signature = signatureHelp(page);
    await signature.getByText('start').first().waitFor();
    await session.screenshot('sql signature');
    await page.keyboard.press('Escape');
    await page.keyboard.type('2) from customers');
    await session.runCommand('Format Document');
    await linesWith(session, /^SELECT\s"name"/).waitFor();
    await linesWith(session, /^SELECT\ssubstr\(name,\s2\)/).waitFor();
    await session.screenshot('sql formatted');
  },
);
