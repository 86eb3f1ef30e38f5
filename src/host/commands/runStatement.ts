import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ResultRun } from '../../model/results/resultRun.ts';
import { classifyStatement } from '../../sql/classifier.ts';
import { statementAt } from '../../sql/splitter.ts';
import type { Clients } from '../connections/clients.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commands } from '../names.ts';
import { sentenceFor } from '../problems.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';

export interface RunStatementParts {
  readonly clients: Clients;
  readonly documents: DocumentProjects;
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
}

/** Runs the statement under the cursor, or the selected text, and shows its rows while they arrive. */
export async function runStatement({ clients, documents, results, scratch }: RunStatementParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const sql = editor && statementOf(editor);
  if (!editor || !sql) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no SQL statement at the cursor.'));
    return;
  }
  const profile = await documents.projectOf(editor.document.uri);
  if (!profile) {
    await offerProjects();
    return;
  }
  try {
    const run = new ResultRun({
      client: await clients.for(profile),
      projectId: profile.projectId,
      request: { sql },
      folder: await scratch.path(),
      now: () => performance.now(),
      ...(classifyStatement(sql) === 'write' ? { idempotencyKey: randomUUID() } : {}),
    });
    await results.show(run, { project: profile.name, statement: sql });
  } catch (thrown) {
    await offerRemedy(thrown, profile.id);
  }
}

function statementOf({ document, selection }: vscode.TextEditor): string | undefined {
  if (!selection.isEmpty) return document.getText(selection).trim() || undefined;
  const text = document.getText();
  const found = statementAt(text, document.offsetAt(selection.active));
  return found && text.slice(found.start, found.end);
}

async function offerProjects(): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  const message = vscode.l10n.t('There is no project to run this statement in. Add one first.');
  if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand(commands.manage);
  }
}

async function offerRemedy(thrown: unknown, profileId: string): Promise<void> {
  const setKey = vscode.l10n.t('Set API Key');
  if ((await vscode.window.showErrorMessage(sentenceFor(thrown), setKey)) === setKey) {
    await vscode.commands.executeCommand(commands.setKey, profileId);
  }
}
