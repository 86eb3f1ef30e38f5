import * as vscode from 'vscode';
import type { ParameterMemory } from '../../model/parameters/parameterMemory.ts';
import type { Profile } from '../../model/profiles.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import type { ColumnsOf, KnownColumn } from '../../sql/parameters/parameterHints.ts';
import type { SqlValue } from '../../wire/values.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import { withProgress } from '../progress.ts';
import type { CountRows } from './consequence.ts';
import { passesGuard, refuses } from './guard.ts';
import { judge, type JudgedStatement } from './judgedStatement.ts';
import { valuesFor } from './parameters/bindStatement.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { withoutSession } from './sessionStatements.ts';

/** A statement that may be sent, and where it stood when that was decided. */
export interface PreparedStatement extends JudgedStatement {
  readonly selected: SelectedStatement;
}

export interface PreparationParts {
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly memory: ParameterMemory;
}

/** Everything that is asked and judged before the first statement is sent. Undefined when nothing shall be. */
export class Preparation {
  readonly #parts: PreparationParts;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  async prepare(
    profile: Profile,
    selected: readonly SelectedStatement[],
  ): Promise<readonly PreparedStatement[] | undefined> {
    const judged = selected.map(statement => ({ ...judge(statement.sql), selected: statement }));
    const left = await withoutSession(judged);
    // Nobody is asked for the values of what will not be sent.
    if (!left || refuses(profile, left)) return undefined;
    const bound: PreparedStatement[] = [];
    for (const [index, statement] of left.entries()) {
      const params = await valuesFor(statement.selected, {
        memory: this.#parts.memory,
        title: titleOf(profile, index, left.length),
        learnColumns: (sql, learn) => void this.#learnColumns(profile, sql, learn),
      });
      if (!params) return undefined;
      bound.push({ ...statement, params });
    }
    return this.#passed(profile, bound);
  }

  /** Judges statements that have their values. */
  async clear(
    profile: Profile,
    statements: readonly PreparedStatement[],
  ): Promise<readonly PreparedStatement[] | undefined> {
    const left = await withoutSession(statements);
    return left && this.#passed(profile, left);
  }

  async #passed<T extends PreparedStatement>(
    profile: Profile,
    statements: readonly T[],
  ): Promise<readonly T[] | undefined> {
    return (await passesGuard(profile, statements, this.#counter(profile))) ? statements : undefined;
  }

  #counter(profile: Profile): CountRows {
    return async (sql, params) =>
      withProgress(vscode.l10n.t('Counting the rows that the statement touches…'), async signal => {
        const client = await this.#parts.clients.for(profile);
        const { rows } = await client.execSql(profile.projectId, { sql, params }, { signal, reads: true });
        return countIn(Object.values(rows[0] ?? {})[0]);
      });
  }

  /** Nobody waits for a project's columns: without them a form says less and works as well. */
  async #learnColumns(profile: Profile, sql: string, learn: (columns: ColumnsOf) => void): Promise<void> {
    const found = new Map<string, readonly KnownColumn[]>();
    const catalog = this.#parts.catalogs.for(profile);
    const loading = effectOf(sql).tables.map(async ({ name }) => {
      // Where the service does not tell, the run itself will say why.
      const columns = await catalog.columns(name).catch(() => undefined);
      if (!columns) return;
      found.set(name.toLowerCase(), columns);
      learn(table => found.get(table.toLowerCase()));
    });
    await Promise.all(loading);
  }
}

function countIn(value: SqlValue | undefined): bigint | number {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  throw new Error('The service gave no number.');
}

function titleOf({ name }: Profile, index: number, count: number): string {
  return count === 1
    ? vscode.l10n.t('Parameters of the statement in {0}', name)
    : vscode.l10n.t('Parameters of statement {0} of {1} in {2}', index + 1, count, name);
}
