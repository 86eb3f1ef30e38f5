import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { sampleStatements } from '../../src/host/local/sampleStatements.ts';
import { startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { takePictures } from '../support/themePictures.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

// People look at the screenshots: .results/explorer-<theme>.png and .results/settings-<theme>.png.
workbenchTest(
  'the explorer has a screenshot in every kind of theme',
  { files: { 'shop.sql': sampleStatements } },
  async session => {
    await openSampleProject(session);
    await session.openFile('shop.sql');
    await goToLine(session, 5);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell').first().waitFor();
    await takePictures(session, 'explorer');
  },
);

workbenchTest(
  'the page of projects has a screenshot in every kind of theme',
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
    await content.getByRole('button', { name: 'Test Connection Production' }).click();
    await content.getByText('Edit', { exact: true }).first().click();
    await content.getByRole('textbox', { name: 'Address' }).first().fill('nowhere');
    await takePictures(session, 'settings');
    await session.runCommand('View: Close Editor');
    await session.page.getByRole('dialog').getByRole('button', { name: "Don't Save" }).click();
  },
);

const nowhere = { baseUrl: 'http://127.0.0.1:9', projectId: 'p1' };
const everyKind = `
  CREATE TABLE "all kinds"(id INTEGER PRIMARY KEY, owner INT NOT NULL REFERENCES customers(id), name TEXT UNIQUE DEFAULT 'x',
    total INT AS (owner * 2));
  CREATE INDEX by_owner ON "all kinds"(owner);
  CREATE TRIGGER added AFTER INSERT ON "all kinds" BEGIN SELECT 1; END;
  CREATE VIEW names AS SELECT name FROM "all kinds"`;

workbenchTest(
  'the tree with each kind of node, the status bar and a comparison have screenshots in every kind of theme',
  {
    files: { 'live.sql': '-- @project Live\nSELECT 1;\n', 'play.sql': '-- @project Play\nSELECT 1;\n' },
    viewport: { width: 1280, height: 1100 },
  },
  async session => {
    const tables = Array.from({ length: 500 }, (_, index) => `CREATE TABLE t${index}(a)`).join(';');
    await using service = await startServiceWith(`${everyKind};${tables}`);
    const { baseUrl, projectId } = service;
    await session.setFolderSettings({
      'sqlProjects.projects': [
        { ...nowhere, name: 'Live', protection: 'readOnly', color: 'red' },
        { ...nowhere, name: 'Staging', projectId: 'p2', protection: 'confirmWrites', color: 'orange' },
        { baseUrl, projectId, name: 'Play', color: 'green' },
        { name: 'No address', projectId: 'p3' },
      ],
    });
    await session.openView('SQL Projects');
    // The projects of the local service come last and move the others.
    await session.treeItem('Sample Shop').waitFor();
    await session.expand('Live');
    await session.expand('Play');
    await session
      .treeItem(/No API key is set/)
      .nth(1)
      .click();
    await new QuickInput(session.page).enterKey(service.apiKey);
    await session.expand('all kinds');
    await session.expand('Indexes');
    await session.expand('Triggers');
    await session.openFile('live.sql');
    await statusItem(session.page, 'Live · Read-only').waitFor();
    await takePictures(session, 'tree-everything');
    await session.openFile('play.sql');
    await statusItem(session.page, 'Play').waitFor();
    await session.collapse('all kinds');
    await session.treeItem('categories').focus();
    await session.page.keyboard.press('End');
    await session.treeItem(/^Load More/).waitFor();
    await session.treeItem('Views').waitFor();
    await takePictures(session, 'tree-load-more');
    await session.page.keyboard.press('Home');
    await chooseFromMenu(session, 'categories', 'Compare Definition with Another Project…');
    await session.page.getByRole('option', { name: /Sample Shop/ }).click();
    await session.editorTab('categories: Play ↔ Sample Shop').waitFor();
    await takePictures(session, 'comparison');
  },
);

workbenchTest(
  'the steps of adding a project and the list of tables have screenshots in every kind of theme',
  { settings: { 'sqlProjects.projects': [{ ...nowhere, name: 'Locked' }] } },
  async session => {
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    await session.runCommand('SQL Projects: Find Table…');
    await input.root.getByRole('option', { name: /^customers/ }).waitFor();
    await input.root.getByRole('option', { name: /^Locked/ }).waitFor();
    await session.screenshot('find-list-light');
    await session.page.keyboard.press('Escape');
    await session.runCommand('SQL Projects: Add Project…');
    await input.answer('Address of the service', 'http://127.0.0.1:9');
    await input.waitForPrompt(/cannot be reached/);
    await takePictures(session, 'add-address');
    await input.answer(/Press Enter again/, 'http://127.0.0.1:9');
    await input.waitForPrompt('API key');
    await takePictures(session, 'add-key');
    await input.answer('API key', 'some-key');
    await input.answer(/Press Enter again/, 'some-key');
    await input.answer('Project ID', 'p9');
    await input.waitForPrompt(/cannot be reached/);
    await takePictures(session, 'add-remedies');
  },
);
