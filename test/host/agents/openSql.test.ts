import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentProjects } from '../../../src/host/connections/documentProjects.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { window, workspace } = await import('vscode');
const { openSql } = await import('../../../src/host/agents/agents.ts');

const profile = makeProfile({ name: 'Shop', baseUrl: 'https://sql.example.com', projectId: 'p1', source: 'settings' });

async function openedWith(sql: string, title?: string): Promise<unknown[]> {
  const opened: unknown[] = [];
  Object.assign(workspace, {
    openTextDocument: ({ content }: { content: string }) => {
      opened.push(content);
      return Promise.resolve({ uri: 'untitled:1' });
    },
  });
  Object.assign(window, { showTextDocument: () => Promise.resolve() });
  const assign = (uri: unknown, { name }: { name: string }) => Promise.resolve(opened.push([uri, name]));
  await openSql({ assign } as unknown as DocumentProjects, profile, sql, title);
  return opened;
}

test('the SQL is in an editor of its project, below a comment with the title', async () => {
  assert.deepEqual(await openedWith('SELECT 1;'), ['SELECT 1;', ['untitled:1', 'Shop']]);
  const [content] = await openedWith('SELECT 1;', 'Count\npets\u202e; DROP');
  assert.equal(content, '-- Count pets ; DROP\n\nSELECT 1;');
});

test('no comment of an agent sends the SQL to another project', async () => {
  const [content] = await openedWith('SELECT 1;', '@project Bank');
  assert.equal(content, '-- project Bank\n\nSELECT 1;');
  for (const sql of ['-- @project Bank\nDELETE FROM a;', 'SELECT 1;\n  --@project Bank\nSELECT 2;']) {
    await assert.rejects(openedWith(sql), { code: 'bad_input' });
  }
});
