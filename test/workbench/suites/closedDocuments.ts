import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ProjectError } from '../../../src/base/errors.ts';
import type { Clients } from '../../../src/host/connections/clients.ts';
import { DocumentStatements } from '../../../src/host/documents/documentStatements.ts';
import { explainStatement } from '../../../src/host/running/explainStatement.ts';
import { QueryPlanView } from '../../../src/host/running/queryPlanView.ts';
import { RunMarks } from '../../../src/host/documents/runMarks.ts';
import { allStatements } from '../../../src/host/documents/selectedStatements.ts';
import type { Profile } from '../../../src/model/profiles.ts';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, run } = hostTests();
export { run };

/** Shows a file by a command, for VS Code keeps what an extension opens by itself long after its editor is closed. */
async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('vscode.open', uri);
  const document = vscode.window.activeTextEditor?.document;
  assert.equal(document?.uri.toString(), uri.toString());
  return document;
}

async function close(document: vscode.TextDocument): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const listener = vscode.workspace.onDidCloseTextDocument(one => {
    if (one === document) closed.resolve();
  });
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await closed.promise;
  listener.dispose();
  assert.ok(document.isClosed);
}

async function withFile(text: string, use: (uri: vscode.Uri) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'closed-documents-'));
  const file = join(folder, 'shop.sql');
  await writeFile(file, text);
  try {
    await use(vscode.Uri.file(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a file that is opened again has the statements that it holds then, also when its old ones were asked for', () =>
  withFile('DELETE FROM pets;', async uri => {
    const statements = new DocumentStatements();
    const document = await show(uri);
    await close(document);
    const read = (from: vscode.TextDocument): string[] => allStatements(statements.for(from)).map(({ sql }) => sql);
    assert.deepEqual(read(document), ['DELETE FROM pets;']);
    await writeFile(uri.fsPath, 'SELECT 2;');
    const again = await show(uri);
    assert.deepEqual(read(again), ['SELECT 2;']);
    await close(again);
    statements.dispose();
  }));

const shop = { name: 'Shop', projectId: 'p1' } as Profile;

/** What is marked once a statement turned out to have no plan, when something happened while that was asked. */
async function markedAfter(uri: vscode.Uri, meanwhile: (document: vscode.TextDocument) => Promise<void>) {
  const statements = new DocumentStatements();
  const marks = new RunMarks(statements);
  const answer = Promise.withResolvers<never>();
  const clients = { for: () => Promise.resolve({ execSql: () => answer.promise }) } as unknown as Clients;
  const plan = new QueryPlanView();
  const document = await show(uri);
  const selected = allStatements(statements.for(document)).at(-1)!;
  const asked = explainStatement({ clients, marks, plan }, shop, document, selected);
  await meanwhile(document);
  answer.reject(new ProjectError('service', 'sql_error', 'no such column: nope'));
  await assert.rejects(asked, { code: 'sql_error' });
  const shown = document.isClosed ? await show(uri) : document;
  const found = marks.all(shown).map(({ start, end }) => statements.for(shown).slice(start, end));
  await close(shown);
  for (const owned of [plan, marks, statements]) owned.dispose();
  return found;
}

const failing = 'SELECT 1;\nSELECT nope;';

async function addLineAbove({ uri }: vscode.TextDocument): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.insert(uri, new vscode.Position(0, 0), '-- a line above all\n');
  assert.ok(await vscode.workspace.applyEdit(change));
}

test('a statement without a plan is marked where it stands by then', () =>
  withFile(failing, async uri => assert.deepEqual(await markedAfter(uri, addLineAbove), ['SELECT nope;'])));

test('one whose file was closed meanwhile is not marked when that is opened again', () =>
  withFile(failing, async uri => assert.deepEqual(await markedAfter(uri, close), [])));
