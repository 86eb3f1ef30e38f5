import { automaticArrangement, diagramBridge, type DiagramTable } from '../../../src/protocol/diagram.ts';
import { manyTables, shopTables } from '../../support/diagramTables.ts';
import { webviewTest } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const sizes: readonly (readonly [count: number, tables: readonly DiagramTable[]])[] = [
  [6, shopTables],
  [60, manyTables(60)],
  [300, manyTables(300)],
];

/** Every seventh table had fewer columns and keys. */
const changed = (table: DiagramTable, index: number): DiagramTable =>
  index % 7 === 0 ? { ...table, columns: table.columns.slice(0, -1), keys: table.keys.slice(0, -1) } : table;

for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
  webviewTest(`in ${theme}, diagrams of all sizes can be read (picture)`, { bridge: diagramBridge }, async opened => {
    const { page, host } = opened;
    await page.setViewportSize({ width: 1200, height: 800 });
    await setTheme(page, theme);
    const canvas = page.getByRole('application');
    const show = async (count: number, tables: readonly DiagramTable[], table?: string): Promise<void> => {
      host.notify('state', {
        title: table ?? 'Diagram of Shop',
        place: 'Shop (example.com)',
        subject: { profileId: 'shop', project: 'Shop', ...(table !== undefined && { table }) },
        tables,
        earlierTables: count === 60 ? tables.slice(3).map(changed) : undefined,
        arrangement: automaticArrangement,
        problem: undefined,
      });
      await page.locator('canvas.viewport[data-state="routed"]').waitFor();
    };
    for (const [count, tables] of sizes) {
      await page.reload();
      await setTheme(page, theme);
      await show(count, tables);
      await opened.picture(`diagram-${theme}-${count}`);
      await canvas.focus();
      await page.keyboard.press('ArrowRight');
      await opened.picture(`diagram-${theme}-${count}-chosen`);
      await page.reload();
      await setTheme(page, theme);
      await show(count, tables, tables[4]!.name);
      await canvas.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu').waitFor();
      await opened.picture(`diagram-${theme}-${count}-table`);
    }
  });
}
