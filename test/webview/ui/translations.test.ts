import { settingsBridge } from '../../../src/protocol/settings.ts';
import { webviewTest } from '../../support/webviewPage.ts';

const { l10n } = await import('vscode');
const bundle = { 'Manage Projects': '"Projekte" & <b>Schlüssel</b>' };
Object.assign(l10n, { bundle });

webviewTest('a page shows translations, and English where there are none', { bridge: settingsBridge }, async opened => {
  const { page } = opened;
  await page.getByRole('heading', { name: bundle['Manage Projects'], exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add Project…' }).waitFor();
});
