import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { sampleStatements } from '../../.dev/sampleStatements.ts';
import type { ThemeKind } from '../support/workbench/session.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

// The pictures are for people to look at: .results/explorer-<theme>.png and .results/settings-<theme>.png. With
// UPDATE_PICTURES=1 the README's own are taken anew.
workbenchTest(
  'explorer and settings are pictured in every kind of theme',
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
    await session.runCommand('SQL Projects: Manage Projects and Credentials');
    const content = await session.webviewFrame('SQL Projects and Credentials');
    await content.getByRole('listitem').first().waitFor();
    for (const kind of kinds) {
      await session.setTheme(kind);
      await session.screenshot(`settings-${kind}`);
    }
  },
);
