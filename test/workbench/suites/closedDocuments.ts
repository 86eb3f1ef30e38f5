import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ProjectError } from '../../../src/base/errors.ts';
import type { Catalogs, Projects } from '../../../src/host/connections/projects.ts';
import type { Clients } from '../../../src/host/connections/clients.ts';
import { DocumentStatements } from '../../../src/host/documents/documentStatements.ts';
import { explainStatement } from '../../../src/host/running/explainStatement.ts';
import { RunMarks } from '../../../src/host/documents/runMarks.ts';
import { allStatements } from '../../../src/host/documents/selectedStatements.ts';
import type { Profile } from '../../../src/model/profiles.ts';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, run } = hostTests();
export { run };

/** Opens a file by a command: VS Code keeps a document that an extension opens long after its editor is closed. */
async function show(uri: vscode.Uri): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('vscode.open', uri);
  const document = vscode.window.activeTextEditor?.document;
  assert.equal(document?.uri.toString(), uri.toString());
  return document;
}

async function close(document: vscode.TextDocument): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const listener = vscode.workspace.onDidCloseTextDocument(closedDocument => {
    if (closedDocument === document) closed.resolve();
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

test('a reopened file has its new statements, even if those of the closed document were read', () =>
  withFile('DELETE FROM pets;', async uri => {
    const statements = new DocumentStatements();
    const document = await show(uri);
    await close(document);
    const statementsOf = (source: vscode.TextDocument): string[] =>
      allStatements(statements.for(source)).map(({ sql }) => sql);
    assert.deepEqual(statementsOf(document), ['DELETE FROM pets;']);
    await writeFile(uri.fsPath, 'SELECT 2;');
    const reopened = await show(uri);
    assert.deepEqual(statementsOf(reopened), ['SELECT 2;']);
    await close(reopened);
    statements.dispose();
  }));

const shop = { name: 'Shop', projectId: 'p1' } as Profile;

/** Explains the last statement of a file, which fails after `change`. Returns the statements that have a mark then. */
async function markedAfter(uri: vscode.Uri, change: (document: vscode.TextDocument) => Promise<void>) {
  const statements = new DocumentStatements();
  const marks = new RunMarks(statements);
  const answer = Promise.withResolvers<never>();
  const clients = { for: () => Promise.resolve({ execSql: () => answer.promise }) } as unknown as Clients;
  const document = await show(uri);
  const selected = allStatements(statements.for(document)).at(-1)!;
  const catalogs = { for: () => ({ lastRowCounts: new Map() }) } as unknown as Catalogs;
  const parts = {
    catalogs,
    clients,
    marks,
    results: { show: () => Promise.resolve() },
    projects: {} as Projects,
    run: () => Promise.resolve(undefined),
    proveIndexes: () => Promise.resolve(undefined),
  };
  const explained = explainStatement(parts, { profile: shop, document, selected });
  await change(document);
  answer.reject(new ProjectError('service', 'sql_error', 'no such column: nope'));
  await explained;
  const shown = document.isClosed ? await show(uri) : document;
  const marked = marks.all(shown).map(({ start, end }) => statements.for(shown).slice(start, end));
  await close(shown);
  marks.dispose();
  statements.dispose();
  return marked;
}

const failingScript = 'SELECT 1;\nSELECT nope;';

async function addLineAbove({ uri }: vscode.TextDocument): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.insert(uri, new vscode.Position(0, 0), '-- a line above all\n');
  assert.ok(await vscode.workspace.applyEdit(change));
}

test('a statement that cannot be explained is marked where edits have moved it', () =>
  withFile(failingScript, async uri => assert.deepEqual(await markedAfter(uri, addLineAbove), ['SELECT nope;'])));

test('a statement whose file was closed before has no mark when the file is reopened', () =>
  withFile(failingScript, async uri => assert.deepEqual(await markedAfter(uri, close), [])));
