import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const elsewhere = { name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' };

const files = {
  'two.sql': `-- @project Elsewhere\nSELECT 1;\nCREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  DELETE FROM b;\nEND;\n`,
};

const settings = { 'sqlProjects.projects': [elsewhere] };

workbenchTest('the outline lists the statements of an SQL document', { files, settings }, async session => {
  await session.openFile('two.sql');
  await session.runCommand('Explorer: Focus on Outline View');
  await session.treeItem(/^SELECT 1;/).waitFor();
  await session.treeItem(/^CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END;/).waitFor();
});
