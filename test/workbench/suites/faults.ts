import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DocumentStatements } from '../../../src/host/documents/documentStatements.ts';
import { showFaults } from '../../../src/host/documents/editorMarks.ts';
import { type MarkState, RunMarks } from '../../../src/host/documents/runMarks.ts';
import { allStatements } from '../../../src/host/documents/selectedStatements.ts';
import { watchStaleSchema } from '../../../src/host/documents/sqlDocuments.ts';
import { LanguageFaults } from '../../../src/host/language/languageFaults.ts';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, run } = hostTests();
export { run };

const text = 'SELECT nope FROM pets;\nSELECT 2;';
const message = "no such column 'nope'";
const nope = new vscode.Range(0, 7, 0, 11);

/** The problems of a document, without those of the installed language server. */
const problems = ({ uri }: vscode.TextDocument): string[] =>
  vscode.languages
    .getDiagnostics(uri)
    .filter(({ code }) => code === 'sql_error')
    .map(problem => problem.message);

/** Resolves when the document has these problems. */
async function has(document: vscode.TextDocument, expected: readonly string[]): Promise<void> {
  while (problems(document).join() !== expected.join()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = vscode.languages.onDidChangeDiagnostics(() => resolve());
    await promise;
    listener.dispose();
  }
}

const failed = (fault: string): MarkState => ({
  kind: 'failed',
  elapsedMs: 1,
  fault: { message: fault, code: 'sql_error', start: 7, end: 11 },
});

test('a fault is shown once, by the language server while it knows it', async () => {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content: text });
  const statements = new DocumentStatements();
  const marks = new RunMarks(statements);
  const faults = new LanguageFaults();
  const diagnostics = showFaults(marks, faults);
  const [first] = allStatements(statements.for(document));
  marks.put(document, first!, failed(message));
  await has(document, [message]);
  faults.set(document.uri, [new vscode.Diagnostic(nope, message)]);
  await has(document, []);
  faults.set(document.uri, [new vscode.Diagnostic(nope, "syntax error near 'nope'")]);
  await has(document, [message]);
  faults.set(document.uri, [new vscode.Diagnostic(nope, `${message}. Is a semicolon missing before it?`)]);
  await has(document, []);
  faults.clear();
  await has(document, [message]);
  faults.set(document.uri, [new vscode.Diagnostic(nope, "no such column 'no…'")]);
  await has(document, []);
  faults.set(document.uri, [new vscode.Diagnostic(nope, "no such column 'na…'")]);
  await has(document, [message]);
  faults.set(document.uri, [new vscode.Diagnostic(new vscode.Range(1, 0, 1, 6), message)]);
  assert.deepEqual(problems(document), [message]);
  for (const owned of [diagnostics, marks, statements]) owned.dispose();
});

test('a schema is stale when the service and the language server know different names', async () => {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content: text });
  const statements = new DocumentStatements();
  const marks = new RunMarks(statements);
  const faults = new LanguageFaults();
  let requests = 0;
  const stale = watchStaleSchema(marks, faults, () => requests++);
  const [first] = allStatements(statements.for(document));
  const ran: MarkState = { kind: 'ok', elapsedMs: 1 };
  const unknown = [new vscode.Diagnostic(nope, message)];
  for (const [known, state, expected] of [
    [[], ran, 0],
    [unknown, ran, 1],
    [[], failed(message), 1],
    [unknown, failed(message), 0],
    [[], failed("table 'pets' has no column 'nope'"), 1],
    [[], failed('UNIQUE constraint failed: pets.id'), 0],
    [[new vscode.Diagnostic(nope, 'LIMIT without ORDER BY')], ran, 0],
    [unknown, { kind: 'running' }, 0],
  ] as const) {
    requests = 0;
    faults.set(document.uri, known);
    marks.put(document, first!, state);
    assert.equal(requests, expected, JSON.stringify([known, state]));
  }
  for (const owned of [stale, marks, statements]) owned.dispose();
});
