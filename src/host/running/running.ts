import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { ParameterMemory } from '../../model/parameters/parameterMemory.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Run } from '../../model/results/run.ts';
import type { WriteKey } from '../../model/results/writeKey.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import { type FilteredTable, referencedRow } from '../browsing/referencedRow.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { DocumentStatements } from '../documents/documentStatements.ts';
import { decodeLensTarget } from '../documents/runLenses.ts';
import {
  allStatements,
  currentRange,
  nearestStatement,
  primaryStatement,
  type SelectedStatement,
  selectedStatements,
} from '../documents/selectedStatements.ts';
import type { SqlEditor } from '../documents/sqlEditor.ts';
import { showInformation } from '../notifications.ts';
import { offerProjects, offerRemedy, orRemedy } from '../remedies.ts';
import { documentOf } from '../results/goToStatement.ts';
import type { Result } from '../results/result.ts';
import { savesParameterValues } from '../savedValues.ts';
import type { TableNode } from '../tree/treeNodes.ts';
import { ActiveRuns } from './activeRuns.ts';
import { analyze } from './boundStatement.ts';
import { confirmRisk, riskQuestion } from './riskQuestion.ts';
import type { ExplainParts } from './explainStatement.ts';
import { refuseByProtection } from './protection.ts';
import { promptForValues } from './parameterForm.ts';
import { Preparation, type UnpreparedStatement } from './preparation.ts';
import { countAffectedRows } from './projectQueries.ts';
import { type PreparedRun, type RunMode, RunStarter, withoutDocument } from './runStarter.ts';
import { ProjectsRunner } from './projectsRunner.ts';
import { type RunnerParts, StatementRunner } from './statementRunner.ts';
import { lookAtRun, vscodeRunPrompts } from './runPrompts.ts';

const maxNameLength = 40;

const loadPlans = () => import('./explainStatement.ts');

interface RunningParts extends Omit<RunnerParts, 'active' | 'follow'> {
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  readonly statements: DocumentStatements;
  readonly memory: vscode.Memento;
  readonly exportMemory: vscode.Memento;
  readonly openFiltered: (profile: Profile, rows: FilteredTable) => Promise<void>;
  readonly proveIndexes: ExplainParts['proveIndexes'];
}

/** The ways to run statements of SQL editors. A bundle of its own, loaded with the first run. */
export class Running extends DisposableStore {
  readonly #parts: RunningParts;
  readonly #active = this.add(new ActiveRuns());
  readonly #lastRuns = new Map<string, PreparedRun>();
  readonly #preparation: Preparation;
  readonly #starter: RunStarter;
  readonly #onProjects: ProjectsRunner;

  constructor(parts: RunningParts) {
    super();
    const { clients, catalogs, memory } = parts;
    this.#parts = parts;
    this.#preparation = new Preparation({
      prompts: {
        ...vscodeRunPrompts,
        promptForValues: form => promptForValues(form, parts.results),
        confirmRun: (question, first) => confirmRisk(riskQuestion(question), lookAtRun(question, first, this.#starter)),
      },
      memory: new ParameterMemory({ storage: memory, savesValues: savesParameterValues }),
      countRows: (profile, ...query) => countAffectedRows(clients, profile, ...query),
      columnsOf: (profile, table) => catalogs.for(profile).columns(table),
    });
    this.#starter = new RunStarter({
      ...parts,
      active: this.#active,
      preparation: this.#preparation,
      runner: new StatementRunner({
        ...parts,
        active: this.#active,
        follow: (...place) => this.followKey(...place),
      }),
    });
    this.#onProjects = new ProjectsRunner({ ...parts, active: this.#active, preparation: this.#preparation });
    this.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#lastRuns.delete(uri.toString())));
  }

  /** Runs the statement of a lens, or else what the editor selects. */
  async runStatement(editor: SqlEditor | undefined, argument: unknown): Promise<void> {
    const lens = decodeLensTarget(argument);
    if (!lens) return this.runSelection(editor);
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === lens.uri);
    const statement = document && nearestStatement(await this.#parts.statements.load(document), lens);
    await this.#run(document, statement ? [statement] : [], 'foreground');
  }

  /** Runs the selected text, or without any, the statement at each cursor. */
  async runSelection(editor: SqlEditor | undefined, mode: RunMode = 'foreground'): Promise<void> {
    const { statements } = this.#parts;
    const selected = editor ? selectedStatements(editor, await statements.load(editor.document)) : [];
    await this.#run(editor?.document, selected, mode);
  }

  /** Runs the statement at the primary cursor on the projects that the user chooses. */
  async runOnProjects(editor: SqlEditor | undefined): Promise<void> {
    const selected = editor && primaryStatement(editor, await this.#parts.statements.load(editor.document));
    if (!selected) return showNoStatement();
    await this.#onProjects.run({ document: editor.document, selected });
  }

  /** Writes the rows of the statement at the primary cursor to a file, without showing them. */
  async exportStatement(editor: SqlEditor | undefined): Promise<void> {
    const selected = editor && primaryStatement(editor, await this.#parts.statements.load(editor.document));
    if (!selected) return showNoStatement();
    const { document } = editor;
    await this.#withProject(document, [selected], async profile => {
      const [statement] = (await this.#preparation.prepare(profile, [{ selected, document }])) ?? [];
      if (!statement) return;
      const [table] = statement.effect.tables;
      const name = selected.heading ?? table?.name ?? statementLabel(selected.sql, maxNameLength);
      await this.#starter.exportToFiles([{ profile, statement, name }]);
    });
  }

  /** Writes the rows of each table or view to a file, without showing them. */
  async exportTables(tables: readonly TableNode[]): Promise<void> {
    await this.#starter.exportToFiles(tables.map(table => ({ ...table, statement: selectAll(table) })));
  }

  async runAll(editor: SqlEditor | undefined): Promise<void> {
    const document = editor?.document;
    const statements = document ? allStatements(this.#parts.statements.for(document)) : [];
    await this.#run(document, statements, 'foreground');
  }

  /** Runs the last statements of the document again, with the same values, wherever the cursor is. */
  async rerun(editor: SqlEditor | undefined): Promise<void> {
    const document = editor?.document;
    const lastRun = document && this.#lastRuns.get(document.uri.toString());
    if (!document || !lastRun) {
      void showInformation(vscode.l10n.t('Nothing was run from this editor yet.'));
      return;
    }
    const { statements } = lastRun;
    const list = this.#parts.statements.for(document);
    const ranges = statements.flatMap(({ selected }) => currentRange(list, selected) ?? []);
    await this.#withProject(document, ranges, profile => this.#start(profile, document, { ...lastRun, isRerun: true }));
  }

  /** Runs the statement of a restored result again, or explains it again if the result is a plan. */
  async rerunResult(from: Result, writeKey: WriteKey | undefined): Promise<void> {
    const { profile, statement: sql, params, origin, plan, projects } = from.subject;
    const selected: SelectedStatement = {
      sql,
      start: origin?.start ?? 0,
      end: origin?.end ?? sql.length,
      paramsJson: undefined,
    };
    const document = origin && (await documentOf(origin));
    if (projects) return this.#onProjects.rerun(projects.ids, { document, selected, params }, from);
    if (plan)
      return (await loadPlans()).explainIn(this.#explainParts, profile.id, { document, selected, inPlaceOf: from });
    await this.#starter.rerun({ profileId: profile.id, document, selected, params }, from, writeKey);
  }

  /** Runs a statement of the history. Without values, the user is asked for them. Undefined when the user cancels. */
  async runAgain(profileId: string, sql: string, params: UnpreparedStatement['params']): Promise<Run | undefined> {
    const profile = await this.#parts.projects.get(profileId);
    const selected = { sql, start: 0, end: sql.length, paramsJson: undefined };
    const statements = await this.#preparation.prepare(profile, [{ document: undefined, selected, params }]);
    return statements && this.#starter.start(profile, { statements, mode: 'foreground', isRerun: true });
  }

  async followKey(profileId: string, run: Run, row: number, column: number): Promise<void> {
    const { projects, catalogs, openFiltered } = this.#parts;
    try {
      const profile = await projects.get(profileId);
      const rows = await referencedRow(run, catalogs.for(profile), row, column);
      if (rows) await openFiltered(profile, rows);
    } catch (thrown) {
      await offerRemedy(thrown, await projects.find(profileId));
    }
  }

  cancel(editor: SqlEditor | undefined): void {
    const wasActive = editor !== undefined && this.#active.cancel(editor.document);
    if (!wasActive) void showInformation(vscode.l10n.t('Nothing runs from this editor.'));
  }

  /** Shows the query plan of the statement at the primary cursor or selection. */
  async explain(editor: SqlEditor | undefined): Promise<void> {
    const selected = editor && primaryStatement(editor, await this.#parts.statements.load(editor.document));
    if (!selected) return showNoStatement();
    const { document } = editor;
    await this.#withProject(document, [selected], async profile =>
      (await loadPlans()).explainStatement(this.#explainParts, { profile, document, selected }),
    );
  }

  /** Shows the query plan of a statement that is in no editor. */
  async explainSql(profileId: string, sql: string): Promise<void> {
    const selected = { sql, start: 0, end: sql.length, paramsJson: undefined };
    await (await loadPlans()).explainIn(this.#explainParts, profileId, { document: undefined, selected });
  }

  get #explainParts(): ExplainParts {
    return { ...this.#parts, run: (profileId, sql) => this.runAgain(profileId, sql, []) };
  }

  async #run(
    document: vscode.TextDocument | undefined,
    selected: readonly SelectedStatement[],
    mode: RunMode,
  ): Promise<void> {
    if (!document || selected.length === 0) return showNoStatement();
    const unprepared = selected.map(statement => ({ selected: statement, document }));
    await this.#withProject(document, selected, profile =>
      this.#start(profile, document, { statements: unprepared, mode }),
    );
  }

  /** Uses the project of a document, unless a line above the statements names another one. */
  async #withProject(
    document: vscode.TextDocument,
    statements: readonly TextRange[],
    run: (profile: Profile) => Promise<void>,
  ): Promise<void> {
    if (!(await this.#parts.projects.hasProjects())) return offerProjects();
    const profile = await this.#parts.documents.projectOf(document);
    if (!profile) return;
    if (this.#preparation.refuseOtherProject(profile, this.#parts.statements.for(document), statements)) return;
    await orRemedy(profile, () => run(profile));
  }

  async #start(
    profile: Profile,
    document: vscode.TextDocument,
    unprepared: Omit<PreparedRun, 'statements'> & { readonly statements: readonly UnpreparedStatement[] },
  ): Promise<void> {
    const statements = await this.#preparation.prepare(profile, unprepared.statements);
    if (!statements) return;
    const run: PreparedRun = { ...unprepared, statements };
    this.#lastRuns.set(document.uri.toString(), run);
    await this.#starter.start(profile, run);
  }
}

const selectAll = ({ name }: TableNode) => withoutDocument(`SELECT * FROM ${quoteIdentifierIfNeeded(name)}`);

/** For statements of other parts of the extension. Returns true when the project's protection refuses the statement. */
export function refuseStatement(profile: Profile, sql: string): boolean {
  return refuseByProtection(vscodeRunPrompts, profile, [analyze(sql)]);
}

function showNoStatement(): void {
  void showInformation(vscode.l10n.t('There is no SQL statement at the cursor.'));
}
