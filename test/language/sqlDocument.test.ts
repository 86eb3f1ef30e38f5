import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectSchema } from '../../src/language/projectSchema.ts';
import { ServedFile } from '../../src/language/servedFile.ts';
import type { SqlDocument } from '../../src/language/sqlDocument.ts';

const project = new ProjectSchema(
  { id: 'p1', name: 'Shop' },
  { statements: ['CREATE TABLE users (id INTEGER PRIMARY KEY)'], rowCounts: [] },
);

function newDocument(): SqlDocument {
  const file = new ServedFile('file:///a.sql', 'sql', 1, 'SELECT nme FROM users;\nDELETE FROM users;');
  file.isServed = true;
  file.useProject(project);
  return file.documents[0]!;
}

async function findingsOf(document: SqlDocument): Promise<readonly string[]> {
  const faults = (await document.faults()) ?? [];
  return [...faults, ...document.lints()].map(({ code }) => code);
}

// A hover may request a report while the check of the file is under way.
test('a check has all faults and lints, whenever another one of the same document begins', async () => {
  for (let steps = 0; steps < 20; steps++) {
    const document = newDocument();
    const first = findingsOf(document);
    for (let step = 0; step < steps; step++) await Promise.resolve();
    const both = await Promise.all([first, findingsOf(document)]);
    for (const found of both) assert.deepEqual(found, ['unknown_column', 'missing_where'], `after ${steps} steps`);
  }
});
