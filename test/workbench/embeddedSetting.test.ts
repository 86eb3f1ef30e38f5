import assert from 'node:assert/strict';
import { runLenses } from '../support/sampleProject.ts';
import { problemMarks } from '../support/workbench/editorParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `# sql
query = "SELECT nmae FROM customers"
`;
const settings = { 'sqlProjects.embedded.project': 'Sample Shop' };

workbenchTest(
  'a program is left alone until the setting names a project, and again when it names none',
  { files: { 'shop.py': script, 'other.sql': '-- @project Sample Shop\nSELECT nmae FROM customers;\n' } },
  async session => {
    const { page } = session;
    await session.openFile('other.sql');
    await problemMarks(page).first().waitFor();
    await session.openFile('shop.py');
    assert.equal(await problemMarks(page).count(), 0);
    assert.equal(await runLenses(session).count(), 0);
    await session.setFolderSettings(settings);
    await problemMarks(page).first().waitFor();
    await runLenses(session).first().waitFor();
    await session.setFolderSettings({ 'sqlProjects.embedded.project': '' });
    await problemMarks(page).first().waitFor({ state: 'detached' });
    await runLenses(session).first().waitFor({ state: 'detached' });
    await session.setFolderSettings({ 'sqlProjects.embedded.project': 'Nowhere' });
    await runLenses(session).first().click();
    await session.notifications
      .filter({ hasText: "The setting 'sqlProjects.embedded.project' names the project 'Nowhere'" })
      .waitFor();
  },
);
