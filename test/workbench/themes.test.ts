import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { sampleStatements } from '../../.dev/sampleStatements.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import type { ThemeKind } from '../support/workbench/session.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

// The pictures are for people to look at: .results/explorer-<theme>.png and .results/settings-<theme>.png. With
// UPDATE_PICTURES=1 the README's own are taken anew.
workbenchTest(
  'the explorer is pictured in every kind of theme',
  { files: { 'shop.sql': sampleStatements } },
  async session => {
    await openSampleProject(session);
    await session.openFile('shop.sql');
    await goToLine(session, 3);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell').first().waitFor();
    for (const kind of kinds) {
      await session.setTheme(kind);
      const picture = await session.screenshot(`explorer-${kind}`);
      if (process.env['UPDATE_PICTURES'] && kind === 'light') {
        await copyFile(picture, join(repositoryRoot, 'media/explorer.png'));
      }
    }
  },
);

workbenchTest(
  'the page of projects is pictured in every kind of theme',
  {
    settings: {
      'sqlProjects.projects': [
        { name: 'Production', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', protection: 'readOnly', color: 'red' },
        { name: 'Staging', baseUrl: 'http://127.0.0.1:9', projectId: 'p2', protection: 'confirmWrites', retries: 99 },
      ],
    },
  },
  async session => {
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Test Production' }).click();
    await content.getByText('Edit', { exact: true }).first().click();
    await content.getByRole('textbox', { name: 'Base URL' }).first().fill('nowhere');
    for (const kind of kinds) {
      await session.setTheme(kind);
      await session.screenshot(`settings-${kind}`);
    }
  },
);
