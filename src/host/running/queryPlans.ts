import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';
import { queryPlanStatement } from '../../sql/running/queryPlanStatement.ts';
import type { Row } from '../../wire/values.ts';
import type { Clients } from '../connections/clients.ts';
import { withProgress } from '../progress.ts';
import { complainOfNames } from './parameters/bindStatement.ts';
import { QueryPlanView } from './queryPlanView.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { faultOfStatement } from './statementFault.ts';

/** Asks for the plan of a statement. No value is needed for that; the service wants as many as there are `?`, so they are NULL. */
export class QueryPlans implements Disposable {
  readonly #clients: Clients;
  readonly #marks: RunMarks;
  readonly view = new QueryPlanView();

  constructor({ clients, marks }: { clients: Clients; marks: RunMarks }) {
    this.#clients = clients;
    this.#marks = marks;
  }

  async explain(profile: Profile, document: vscode.TextDocument, selected: SelectedStatement): Promise<void> {
    if (complainOfNames(selected.sql)) return;
    const { sql, shift } = queryPlanStatement(selected.sql);
    const startedAt = performance.now();
    let rows: readonly Row[];
    try {
      rows = await this.#ask(profile, sql);
    } catch (thrown) {
      if (thrown instanceof vscode.CancellationError) return;
      const fault = faultOfStatement(sql, thrown);
      const elapsedMs = performance.now() - startedAt;
      const moved = fault && { ...fault, start: Math.max(0, fault.start - shift), end: fault.end - shift };
      if (moved) this.#marks.put(document, selected, { kind: 'failed', elapsedMs, fault: moved });
      throw thrown;
    }
    await this.view.show(rows, profile, selected.sql);
  }

  dispose(): void {
    this.view.dispose();
  }

  async #ask(profile: Profile, sql: string): Promise<readonly Row[]> {
    const params = placeholders(sql).map(() => null);
    return withProgress(vscode.l10n.t('Asking {0} for the plan…', profile.name), async signal => {
      const client = await this.#clients.for(profile);
      return (await client.execSql(profile.projectId, { sql, params }, { signal, reads: true })).rows;
    });
  }
}
