import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { takePictures } from '../support/themePictures.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const sql = `-- @chart bar x=name y=sum(price)
SELECT c.name, p.price, p.id FROM products p JOIN categories c ON c.id = p.category_id;
`;

workbenchTest(
  'the chart of a result is drawn as its comment says, read by keys, copied, and saved as SVG and PNG',
  { files: { 'chart.sql': sql } },
  async session => {
    const { page } = session;
    await session.openFile('chart.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell').first().waitFor();
    await session.runCommand('SQL Projects: Show Chart');
    const drawing = results.getByRole('img', { name: 'Bars: Sum price by name' });
    await drawing.and(results.locator(':focus')).waitFor();
    await results.locator('.chart canvas').waitFor();
    await page.keyboard.press('ArrowRight');
    const tip = results.locator('.chart-tip');
    await tip.waitFor();
    await takePictures(session, 'chart-bars');
    const read = await tip.locator('span').textContent();
    const cells = await results.getByRole('table').getByRole('cell').allTextContents();
    assert.equal(cells[0], read);

    const save = async (format: string, name: string): Promise<Buffer> => {
      await results.getByRole('button', { name: 'Picture…' }).click();
      await results.getByRole('menuitem', { name: `Save as ${format}…` }).click();
      const input = new QuickInput(page);
      await input.root.getByRole('button', { name: 'OK', exact: true }).click();
      await session.notifications.filter({ hasText: `Saved the chart to ${name}.` }).waitFor();
      return readFile(join(session.folder, name));
    };
    const svg = (await save('SVG', 'products.svg')).toString();
    assert.match(svg, /^<svg [\s\S]*<\/svg>$/);
    await results.getByRole('button', { name: 'Picture…' }).click();
    await results.getByRole('menuitem', { name: 'Copy as SVG' }).click();
    await page.waitForFunction(saved => navigator.clipboard.readText().then(text => text === saved), svg);
    assert.equal((await save('PNG', 'products.png')).toString('latin1', 1, 4), 'PNG');
    assert.deepEqual(
      (await readdir(session.folder)).filter(name => name.endsWith('.part')),
      [],
    );

    await results.getByRole('combobox', { name: 'Chart', exact: true }).selectOption('Scatter');
    await results.getByRole('combobox', { name: 'X', exact: true }).selectOption('id');
    await results.getByRole('combobox', { name: 'Y', exact: true }).selectOption('Each Row');
    await results.getByRole('combobox', { name: 'Series', exact: true }).selectOption('name');
    await results.getByRole('img', { name: 'Scatter: price by id' }).waitFor();
    await takePictures(session, 'chart-scatter');
    await results.getByRole('button', { name: 'Picture…' }).click();
    await results.getByRole('menuitem', { name: 'Copy as Comment' }).click();
    const copied = async (): Promise<boolean> =>
      (await page.evaluate(() => navigator.clipboard.readText())) === '-- @chart scatter x=id y=price series=name';
    await waitUntil(copied, { what: 'the comment is not on the clipboard' });
    await page.keyboard.press('Escape');
    await results.getByRole('grid').and(results.locator(':focus')).waitFor();
  },
);
