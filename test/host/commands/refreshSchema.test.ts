import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentProjects } from '../../../src/host/connections/documentProjects.ts';
import type { ProjectSchemas } from '../../../src/host/language/projectSchemas.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { refreshSchema } = await import('../../../src/host/commands/refreshSchema.ts');

const profile = makeProfile({ name: 'Shop', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' });

/** The messages of Refresh Schema in an editor, and the projects that it read. */
async function refreshIn(scheme: string): Promise<{ readonly messages: string[]; readonly read: string[] }> {
  const messages: string[] = [];
  const read: string[] = [];
  Object.assign(vscode.window, {
    activeTextEditor: { document: { languageId: 'sql', uri: { scheme } } },
    showInformationMessage: async (text: string) => void messages.push(text),
    withProgress: async (_options: unknown, work: () => Promise<void>) => work(),
  });
  const documents = { projectOf: async () => profile } as unknown as DocumentProjects;
  const schemas = { refresh: async (id: string) => void read.push(id) } as unknown as ProjectSchemas;
  await refreshSchema(documents, schemas);
  return { messages, read };
}

test('Refresh Schema reads the schema of the project of an SQL file', async () => {
  assert.deepEqual(await refreshIn('file'), { messages: [], read: [profile.id] });
});

test('Refresh Schema says what to do in a former version of a file, which uses no schema', async () => {
  const message = 'This document only shows SQL. Open an SQL file of the project to refresh its schema.';
  assert.deepEqual(await refreshIn('git'), { messages: [message], read: [] });
});
