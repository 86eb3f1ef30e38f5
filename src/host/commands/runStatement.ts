import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { RowsWorker } from '../../model/results/queries/rowsWorker.ts';
import type { ResultRun } from '../../model/results/resultRun.ts';
import { changesSchema, classifyStatement } from '../../sql/classifier.ts';
import { statementAt } from '../../sql/splitter.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { resultLimits } from '../results/resultLimits.ts';
import { mayRun } from './mayRun.ts';
import { offerProjects, offerRemedy } from './offerRemedy.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import { tell } from '../notifications.ts';

export interface RunStatementParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly documents: DocumentProjects;
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
  readonly worker: () => Promise<RowsWorker>;
}

/** Runs the statement under the cursor, or the selected text, and shows its rows while they arrive. */
export async function runStatement({
  projects,
  clients,
  catalogs,
  documents,
  results,
  scratch,
  worker,
}: RunStatementParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const sql = editor && statementOf(editor);
  if (!editor || !sql) {
    void tell(vscode.l10n.t('There is no SQL statement at the cursor.'));
    return;
  }
  if (!(await projects.any())) return offerProjects();
  const profile = await documents.projectOf(editor.document);
  if (!profile || !(await mayRun(profile, sql))) return;
  try {
    const { ResultRun: Made } = await import('../../model/results/resultRuns.ts');
    const run = new Made({
      client: await clients.for(profile),
      projectId: profile.projectId,
      request: { sql },
      folder: await scratch.path(),
      limits: resultLimits(profile),
      disk: results.disk,
      worker: await worker(),
      now: () => performance.now(),
      ...(classifyStatement(sql) === 'write' ? { idempotencyKey: randomUUID() } : {}),
    });
    await results.show(run, { profile, statement: sql });
    if (changesSchema(sql)) whenEnded(run, () => catalogs.for(profile).forget());
  } catch (thrown) {
    await offerRemedy(thrown, profile.id);
  }
}

function whenEnded(run: ResultRun, then: () => void): void {
  if (run.phase !== 'running') return then();
  const listener = run.onChange(() => {
    if (run.phase === 'running') return;
    listener.dispose();
    then();
  });
}

function statementOf({ document, selection }: vscode.TextEditor): string | undefined {
  if (!selection.isEmpty) return document.getText(selection).trim() || undefined;
  const text = document.getText();
  const found = statementAt(text, document.offsetAt(selection.active));
  return found && text.slice(found.start, found.end);
}
