import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { ParameterMemory } from '../../model/parameters/parameterMemory.ts';
import type { Profile } from '../../model/profiles.ts';
import { offerProjects, offerRemedy } from '../remedies.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { showInformation } from '../notifications.ts';
import { documentOf } from '../results/goToStatement.ts';
import type { Result } from '../results/result.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { RowsWorker } from '../../model/results/queries/rowsWorker.ts';
import type { WriteKey } from '../../model/results/writeKey.ts';
import type { SqlParameter } from '../../wire/values.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import { ActiveRuns } from './activeRuns.ts';
import { runInBackground } from './backgroundRun.ts';
import type { DocumentStatements } from '../documents/documentStatements.ts';
import { passesGuard } from './guard.ts';
import { judge } from './judgedStatement.ts';
import { complainOfOtherProject } from './otherProjects.ts';
import { Preparation, type PreparedStatement } from './preparation.ts';
import { QueryPlans } from './queryPlans.ts';
import type { LensTarget } from '../documents/runLenses.ts';
import type { RunMark, RunMarks } from '../documents/runMarks.ts';
import { runScript } from './scriptRunner.ts';
import {
  allStatements,
  nearestStatement,
  type SelectedStatement,
  selectedStatements,
} from '../documents/selectedStatements.ts';
import type { SqlEditor } from '../documents/sqlEditor.ts';
import { type StatementCall, StatementRunner } from './statementRunner.ts';

export interface RunningParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly documents: DocumentProjects;
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
  readonly worker: () => Promise<RowsWorker>;
  readonly statements: DocumentStatements;
  readonly marks: RunMarks;
  readonly memory: vscode.Memento;
  readonly clock: Clock;
}

interface RunManner {
  readonly inBackground: boolean;
}

/** What ran last in a document. */
interface LastRun extends RunManner {
  readonly statements: readonly PreparedStatement[];
}

/** What a result was run from. */
interface PastStatement {
  /** As the explorer knows the project. */
  readonly projectId: string;
  readonly document: vscode.TextDocument | undefined;
  readonly selected: SelectedStatement;
  /** Undefined where they are not known any more. */
  readonly params: readonly SqlParameter[] | undefined;
}

/** All ways of running what stands in SQL editors: a file of its own in the build, read with the first run. */
export class Running implements Disposable {
  readonly #parts: RunningParts;
  readonly #owned = new DisposableStore();
  readonly #active = this.#owned.add(new ActiveRuns());
  readonly #last = new Map<string, LastRun>();
  readonly #preparation: Preparation;
  readonly #runner: StatementRunner;
  readonly #plans: QueryPlans;

  constructor(parts: RunningParts) {
    this.#parts = parts;
    this.#preparation = new Preparation({ ...parts, memory: new ParameterMemory(parts.memory) });
    this.#runner = new StatementRunner({ ...parts, active: this.#active });
    this.#plans = this.#owned.add(new QueryPlans(parts));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#last.delete(uri.toString())));
  }

  /** The statement of a lens; else the selection, if there is one; else the statement at the cursor. */
  async runStatement(editor: SqlEditor | undefined, argument: unknown): Promise<void> {
    const target = asLensTarget(argument);
    if (target) return this.#runTarget(target);
    await this.#start(editor?.document, this.#chosenIn(editor), { inBackground: false });
  }

  async runSelection(editor: SqlEditor | undefined): Promise<void> {
    await this.#start(editor?.document, this.#chosenIn(editor), { inBackground: false });
  }

  async runAll(editor: SqlEditor | undefined): Promise<void> {
    const document = editor?.document;
    const selected = document ? allStatements(this.#parts.statements.for(document)) : [];
    await this.#start(document, selected, { inBackground: false });
  }

  async runInBackground(editor: SqlEditor | undefined): Promise<void> {
    await this.#start(editor?.document, this.#chosenIn(editor), { inBackground: true });
  }

  /** The same statements with the same values, wherever the cursor is. */
  async rerun(editor: SqlEditor | undefined): Promise<void> {
    const document = editor?.document;
    const last = document && this.#last.get(document.uri.toString());
    if (!document || !last) {
      void showInformation(vscode.l10n.t('Nothing was run from this editor yet.'));
      return;
    }
    await this.#withProject(document, async profile => {
      const cleared = await this.#preparation.clear(profile, last.statements);
      if (cleared) await this.#runAll(profile, document, { ...last, statements: cleared });
    });
  }

  /** The statement of a result that an earlier window left. */
  async runKept(from: Result, writeKey: WriteKey | undefined): Promise<void> {
    const { profile, statement: sql, params, origin } = from.subject;
    const selected = { sql, start: origin?.start ?? 0, end: origin?.end ?? sql.length, paramsJson: undefined };
    const document = origin && (await documentOf(origin.uri));
    await this.#again({ projectId: profile.id, document, selected, params }, from, writeKey);
  }

  cancel(editor: SqlEditor | undefined): void {
    const document = editor?.document;
    if (!document || !this.#active.cancel(document))
      void showInformation(vscode.l10n.t('Nothing runs from this editor.'));
  }

  async explain(editor: SqlEditor | undefined): Promise<void> {
    const [selected] = this.#chosenIn(editor);
    if (!editor || !selected) return sayNothingThere();
    await this.#withProject(editor.document, profile => this.#plans.explain(profile, editor.document, selected));
  }

  async copyPlan(node: unknown): Promise<void> {
    await this.#plans.view.copy(node);
  }

  async closePlan(): Promise<void> {
    await this.#plans.view.close();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #chosenIn(editor: SqlEditor | undefined): readonly SelectedStatement[] {
    return editor ? selectedStatements(editor, this.#parts.statements.for(editor.document)) : [];
  }

  async #runTarget(target: LensTarget): Promise<void> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === target.uri);
    const found = document && nearestStatement(this.#parts.statements.for(document), target);
    await this.#start(document, found ? [found] : [], { inBackground: false });
  }

  async #start(
    document: vscode.TextDocument | undefined,
    selected: readonly SelectedStatement[],
    manner: RunManner,
  ): Promise<void> {
    if (!document || selected.length === 0) return sayNothingThere();
    await this.#withProject(document, async profile => {
      if (complainOfOtherProject(profile, this.#parts.statements.for(document), selected)) return;
      const statements = await this.#preparation.prepare(profile, selected);
      if (statements) await this.#runAll(profile, document, { ...manner, statements });
    });
  }

  async #withProject(document: vscode.TextDocument, run: (profile: Profile) => Promise<void>): Promise<void> {
    if (!(await this.#parts.projects.any())) return offerProjects();
    const profile = await this.#parts.documents.projectOf(document);
    if (!profile) return;
    try {
      await run(profile);
    } catch (thrown) {
      await offerRemedy(thrown, profile);
    }
  }

  async #runAll(profile: Profile, document: vscode.TextDocument, { statements, inBackground }: LastRun): Promise<void> {
    this.#last.set(document.uri.toString(), { statements, inBackground });
    const calls = statements.map((statement): StatementCall => {
      const { selected, params } = statement;
      const past = { projectId: profile.id, document, selected, params };
      const again: StatementCall['again'] = (from, writeKey) => this.#again(past, from, writeKey);
      const mark = this.#mark(document, selected);
      return { profile, statement, document, mark, again, reveal: !inBackground };
    });
    const [first] = calls;
    if (calls.length > 1)
      await runScript(calls, { runner: this.#runner, marks: this.#parts.marks, active: this.#active });
    else if (first && inBackground)
      await runInBackground(first, { runner: this.#runner, results: this.#parts.results });
    else if (first) await this.#runner.run(first);
  }

  /** A single statement once more, from its result; with a key, to learn what became of it. */
  async #again(past: PastStatement, inPlaceOf: Result, writeKey: WriteKey | undefined): Promise<void> {
    const { projectId, document, selected, params } = past;
    try {
      // A result stays for days. What counts is the address and the protection that the project has now.
      const profile = await this.#parts.projects.get(projectId);
      const cleared = params
        ? await this.#preparation.clear(profile, [{ ...judge(selected.sql, params), selected }])
        : await this.#preparation.prepare(profile, [selected]);
      const [statement] = cleared ?? [];
      if (!statement) return;
      const now: PastStatement = { ...past, params: statement.params };
      const again: StatementCall['again'] = (from, key) => this.#again(now, from, key);
      const mark = this.#mark(document, selected);
      await this.#runner.run({ profile, statement, document, mark, again, inPlaceOf, reveal: true, writeKey });
    } catch (thrown) {
      await offerRemedy(thrown, await this.#parts.projects.find(projectId));
    }
  }

  /** What is no longer there gets a mark that nobody sees. */
  #mark(document: vscode.TextDocument | undefined, selected: SelectedStatement): RunMark {
    const state = { kind: 'waiting' } as const;
    const mark = document && this.#parts.marks.put(document, selected, state);
    return mark ?? { ...selected, state, isWholeStatement: false, isHidden: true };
  }
}

/** For who wants to send a statement of their own to a project that is protected. */
export async function passesProtection(profile: Profile, sql: string): Promise<boolean> {
  return passesGuard(profile, [judge(sql)], () => Promise.reject(new vscode.CancellationError()));
}

function sayNothingThere(): void {
  void showInformation(vscode.l10n.t('There is no SQL statement at the cursor.'));
}

function asLensTarget(argument: unknown): LensTarget | undefined {
  const record = asRecord(argument);
  const [uri, start, sql] = [asString(record?.['uri']), asCount(record?.['start']), asString(record?.['sql'])];
  return uri === undefined || start === undefined || sql === undefined ? undefined : { uri, start, sql };
}
