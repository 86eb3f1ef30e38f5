/** Files of a result for other programs. The format that was chosen last is remembered, so the window has its own profile. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import readWorkbook from 'read-excel-file/node';
import { QuickInput } from '../../support/quickInput.ts';
import { runFromKeyboard } from '../../support/sampleProject.ts';
import { startTestService } from '../../support/testService.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const service = await startTestService();
const sql = `-- @project Sample Shop

-- Values
SELECT 9007199254740993 AS number, '=1+1' AS formula, NULL AS missing, '2026-11-30' AS day;
`;

workbenchTest(
  'a result is exported to an Excel and to a Parquet file, which other programs read',
  {
    ownProfile: { machineSettings: { 'sqlProjects.localService.folder': service.folder } },
    files: { 'values.sql': sql },
  },
  async session => {
    await session.openFile('values.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '9007199254740993' }).waitFor();
    const { root, field } = new QuickInput(session.page);
    const exportAs = async (format: string, file: string): Promise<Buffer> => {
      await results.getByRole('button', { name: 'Export…' }).click();
      await root.getByRole('option', { name: 'Export as' }).waitFor();
      await field.fill(format);
      await root.getByRole('option', { name: new RegExp(`\\b${format}\\b`) }).click();
      const exportItem = root.getByRole('option', { name: new RegExp(`Export as ${format}…`) });
      await exportItem.click();
      await exportItem.waitFor({ state: 'detached' });
      await root.getByRole('button', { name: 'OK', exact: true }).click();
      // VS Code leaves out the fourth notification of 0.8 seconds, so the file itself is read. It gets its name when it is complete.
      const content = (): Promise<Buffer | undefined> => readFile(join(session.folder, file)).catch(() => undefined);
      return (await waitUntil(content, { what: `there is no ${file}` }))!;
    };
    const [sheet] = await readWorkbook(await exportAs('Excel', 'Values.xlsx'));
    assert.deepEqual(sheet?.data, [
      ['number', 'formula', 'missing', 'day'],
      ['9007199254740993', '=1+1', null, new Date('2026-11-30')],
    ]);
    const parquet = await exportAs('Parquet', 'Values.parquet');
    assert.deepEqual(await parquetReadObjects({ file: new Uint8Array(parquet).buffer }), [
      { number: 9_007_199_254_740_993n, formula: '=1+1', missing: null, day: '2026-11-30' },
    ]);
  },
);
