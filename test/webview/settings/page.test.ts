import assert from 'node:assert/strict';
import { type ProjectEntry, settingsEvents, type SettingsState } from '../../../src/protocol/settings.ts';
import { webviewTest } from '../../support/webviewPage.ts';

const labels = {
  title: 'Projects',
  noKey: 'No key set',
  keySince: 'Key set on {0}',
  setKey: 'Set Key…',
  replaceKey: 'Replace Key…',
  forgetKey: 'Forget Key',
  editSettings: 'Edit Projects',
  failed: 'It did not work.',
};

const entry = (name: string, keySince?: string): ProjectEntry => ({
  ...{ id: `id ${name}`, name, baseUrl: 'http://127.0.0.1:9', projectId: name.toLowerCase(), source: 'settings' },
  keySince,
});
const stateOf = (...projects: ProjectEntry[]): SettingsState => ({ projects, problems: [] });

webviewTest(
  'the focus stays when a key is set, replaced or forgotten',
  { bundle: 'settings', labels },
  async opened => {
    const { page, peer } = opened;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const focused = page.locator(':focus');
    peer.notify(settingsEvents.state, stateOf(entry('Shop'), entry('Bank')));
    await button('Set Key… Bank').focus();
    peer.notify(settingsEvents.state, stateOf(entry('Shop'), entry('Bank', 'Monday')));
    await button('Replace Key… Bank').waitFor();
    await button('Replace Key… Bank').and(focused).waitFor();

    await button('Forget Key Bank').focus();
    peer.notify(settingsEvents.state, stateOf(entry('Shop'), entry('Bank')));
    await button('Set Key… Bank').and(focused).waitFor();

    peer.notify(settingsEvents.state, stateOf(entry('Bank'), entry('Shop')));
    await page.getByRole('listitem').first().filter({ hasText: 'Bank' }).waitFor();
    await button('Set Key… Bank').and(focused).waitFor();

    peer.notify(settingsEvents.state, stateOf(entry('Shop')));
    await button('Edit Projects').and(focused).waitFor();
  },
);

webviewTest('each button names its project, once', { bundle: 'settings', labels }, async ({ page, peer }) => {
  peer.notify(settingsEvents.state, stateOf(entry('Shop'), entry('Bank', 'Monday')));
  await page.getByRole('listitem').filter({ hasText: 'Key set on Monday' }).waitFor();
  const names = (await page.locator('body').ariaSnapshot()).match(/(?<=button ").*(?=")/g);
  assert.deepEqual(names, ['Set Key… Shop', 'Replace Key… Bank', 'Forget Key Bank', 'Edit Projects']);
});

webviewTest(
  'a call that fails is told of, until the next one',
  {
    bundle: 'settings',
    labels,
    methods: {
      setKey: () => Promise.reject(new Error('The secret storage is locked.')),
      openSettings: () => undefined,
    },
  },
  async ({ page, peer }) => {
    peer.notify(settingsEvents.state, stateOf(entry('Shop')));
    await page.getByRole('button', { name: 'Set Key… Shop' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'The secret storage is locked.' }).waitFor();
    await page.getByRole('button', { name: 'Edit Projects' }).click();
    await alert.waitFor({ state: 'hidden' });
  },
);

webviewTest('a state that makes no sense is passed over', { bundle: 'settings', labels }, async ({ page, peer }) => {
  peer.notify(settingsEvents.state, stateOf(entry('Shop')));
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
  for (const wrong of [null, { projects: [{ id: 1 }], problems: [] }, { projects: [] }]) {
    peer.notify(settingsEvents.state, wrong);
  }
  peer.notify(settingsEvents.state, stateOf(entry('Shop'), entry('Bank')));
  await page.getByRole('heading', { name: 'Bank' }).waitFor();
  assert.equal(await page.getByRole('listitem').count(), 2);
});

webviewTest('a label that is missing shows as its name', { bundle: 'settings', labels: {} }, async ({ page }) => {
  await page.getByRole('heading', { name: 'title', exact: true }).waitFor();
  await page.getByRole('button', { name: 'editSettings', exact: true }).waitFor();
});
