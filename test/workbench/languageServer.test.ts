import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const files = {
  'two.sql': `SELECT 1;\nCREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  DELETE FROM b;\nEND;\n`,
};

workbenchTest('the outline lists the statements of an SQL document', { files }, async session => {
  await session.openFile('two.sql');
  await session.runCommand('Explorer: Focus on Outline View');
  await session.treeItem(/^SELECT 1;/).waitFor();
  await session.treeItem(/^CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END;/).waitFor();
});
