import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { isSameTableDesign } from '../../model/shaping/canonicalDesign.ts';
import type { ChangePlan } from '../../model/shaping/plan.ts';
import type {
  DesignMemory,
  DesignNotice,
  DesignOrigin,
  NoticeAction,
  ChangePlanView,
  UnfinishedDesign,
} from '../../protocol/designer.ts';
import type { SharedDraft, TableDesign } from '../../protocol/tableDesign.ts';
import { currentProject } from '../browsing/currentProject.ts';
import type { Look } from '../questions.ts';
import { projectErrorMessage } from '../remedies.ts';
import { designRefusalText } from '../shaping/planTexts.ts';
import { DesignedTable, EditedDesign } from './designedTable.ts';
import { type DesignPlan, draftedDesign, emptyPlan, isSameDesign, planDesign, designReview } from './designPlan.ts';
import { readOnlyProjectText } from './designPrompts.ts';
import { DesignRun, type DesignStop } from './designRun.ts';
import type { DesignParts } from './tableDesigners.ts';

interface DesignSessionOptions {
  readonly profile: Profile;
  /** Undefined for a new table. */
  readonly table: string | undefined;
  /** The design that a new table begins with. */
  readonly proposal?: TableDesign | undefined;
  /** The state that a page of an earlier window has stored. */
  readonly memory?: DesignMemory | undefined;
  /** Called when the state has changed. `takesDraft` if the page must show the draft of the session. */
  readonly onChange: (takesDraft: boolean) => void;
  /** Called when the user has answered a question, before the answer takes effect. */
  readonly onAnswer: () => void;
}

/** The design of one table while it is edited: the table as it was read, the user's draft, and the statements between them. */
export class DesignSession {
  readonly #parts: DesignParts;
  readonly #options: DesignSessionOptions;
  readonly #table: DesignedTable;
  profile: Profile;
  readonly edited = new EditedDesign();
  notice: DesignNotice | undefined;
  #run: DesignRun | undefined;
  /** The design that the run leads to. */
  target: TableDesign | undefined;
  #unfinishedRun: DesignOrigin['unfinished'];
  isApplying = false;
  #report: ((message: string) => void) | undefined;

  constructor(parts: DesignParts, options: DesignSessionOptions) {
    this.#parts = parts;
    const { profile, table, proposal, memory } = options;
    this.#options = options;
    this.profile = profile;
    this.#table = new DesignedTable(() => this.#project, table, proposal);
    this.#unfinishedRun = memory?.unfinished;
  }

  /** The name of the table in the project; undefined for a new table. */
  get table(): string | undefined {
    return this.#table.name;
  }

  get name(): string {
    return this.#table.name ?? this.edited.design?.name ?? '';
  }

  get tables(): string[] {
    return this.#table.schema.filter(({ kind }) => kind === 'table').map(({ name }) => name);
  }

  get origin(): DesignOrigin {
    return {
      profileId: this.profile.id,
      project: this.profile.name,
      table: this.#table.name,
      base: this.#table.base,
      unfinished: this.#unfinishedRun,
    };
  }

  /** Shows the table, or the design that an earlier window has left. A reloaded page gets the present draft. */
  async load(): Promise<void> {
    if (this.edited.draft) return this.#options.onChange(true);
    this.notice = undefined;
    try {
      if (!(await this.#read())) return undefined;
    } catch (thrown) {
      this.notice = { message: projectErrorMessage(thrown, this.profile), actions: ['reload'] };
      return this.#options.onChange(false);
    }
    const { memory } = this.#options;
    if (memory) await this.#restore(memory);
    return this.#options.onChange(true);
  }

  /** Reads the table again if the user has edited nothing. */
  async follow(): Promise<void> {
    if (this.isApplying || this.edited.isDirty || !this.edited.draft || this.notice) return;
    const { base } = this.#table;
    if (!(await this.#readTable()) || !base) return;
    this.#table.keepIds(base, base);
    if (isSameDesign(base, this.#table.base)) return;
    const warn = (): void => {
      this.#table.base = base;
      this.edited.untouched = base;
      this.notice = changeNotice(this.name);
    };
    // The user may have begun to edit meanwhile.
    if (this.edited.isDirty) warn();
    else this.#takeTable(warn);
    this.#options.onChange(!this.edited.isDirty);
  }

  /** Keeps a draft, and gives the statements that lead to it. */
  async plan(draft: SharedDraft): Promise<ChangePlanView> {
    if (this.edited.take(draft)) this.#options.onChange(false);
    return (await this.#planOf(draft)).view;
  }

  async columnsOf(table: string): Promise<string[]> {
    const columns = await this.#parts.catalogs.for(this.profile).columns(table);
    return columns.map(({ name }) => name);
  }

  async openSql(draft: SharedDraft): Promise<void> {
    const { plan } = await this.#planOf(draft);
    if (plan.steps.length > 0) await this.#openStatements(plan.steps.map(({ sql }) => sql));
  }

  async revert(): Promise<void> {
    const { draft, isDirty } = this.edited;
    const look: Look = { shows: 'sql', run: () => draft && this.openSql(draft) };
    if (isDirty && !(await this.#answered(this.#parts.prompts.confirmRevert(this.name, look)))) return;
    await this.#reload();
  }

  async act(action: NoticeAction): Promise<void> {
    switch (action) {
      case 'reload':
        return this.#reload();
      case 'keepEdits':
        return this.#rebase(undefined);
      case 'continue':
        if (this.#run?.hasBegunUndo === false && this.target) await this.#apply(this.#run, this.target);
        return undefined;
      case 'undo':
        return this.#undo();
      case 'openRemaining':
        return this.#openStatements(this.#unfinishedRun?.remaining ?? []);
    }
  }

  /** Sends the statements that lead to a draft, after a review. Rejects with a message for people if nothing is sent. */
  async apply(draft: SharedDraft): Promise<void> {
    if (this.isApplying) return;
    this.isApplying = true;
    try {
      this.edited.take(draft);
      this.profile = await this.#parts.projects.get(this.profile.id);
      refuseReadOnly(this.profile);
      if (await this.#isChanged()) return;
      const planned = await this.#planOf(draft);
      const [fault] = planned.view.faults;
      if (fault) throw new Error(fault.message);
      if (planned.plan.steps.length === 0 || !(await this.#review(planned))) return;
      // The user may have looked at the review for long.
      if (await this.#isChanged()) return;
      this.#run = this.#runOf(planned.plan);
      await this.#apply(this.#run, (this.target = draftedDesign(draft)));
    } finally {
      this.isApplying = false;
      this.#options.onChange(false);
    }
  }

  get #project() {
    return currentProject(this.#parts, this.profile);
  }

  #runOf(plan: ChangePlan, unfinished?: UnfinishedDesign): DesignRun {
    return new DesignRun(plan, {
      project: this.#project,
      unfinished,
      onProgress: (title, number, count) => this.#progress(vscode.l10n.t('{0} of {1}: {2}', number, count, title)),
      onUndo: (number, count) => this.#progress(vscode.l10n.t('Undo {0} of {1}', number, count)),
    });
  }

  #progress(report: string): void {
    this.#report?.(report);
    // For the next window, in case this one ends during the run.
    this.#unfinishedRun = this.#run?.unfinished(
      vscode.l10n.t('The window was closed while statements were sent. Check the table before you continue.'),
    );
    this.#options.onChange(false);
  }

  async #review(planned: DesignPlan): Promise<boolean> {
    const review = await designReview(this.#project, planned);
    const look = this.#lookAt(planned.plan.steps.map(({ sql }) => sql));
    const subject = { profile: this.profile, table: this.name };
    return this.#answered(this.#parts.prompts.confirmApply({ ...subject, ...review }, look));
  }

  async #answered(question: Promise<boolean>): Promise<boolean> {
    const answer = await question;
    this.#options.onAnswer();
    return answer;
  }

  #apply(run: DesignRun, target: TableDesign): Promise<void> {
    const title = vscode.l10n.t("Applying the design of '{0}'", this.name);
    return this.#send(title, async () => {
      const stop = await run.run();
      return async () => (stop ? this.#stopped(run, stop) : this.#applied(run, target));
    });
  }

  /** Shows the progress of `send`, then runs the function that it gives. */
  async #send(title: string, send: () => Promise<() => Promise<void>>): Promise<void> {
    this.isApplying = true;
    this.notice = undefined;
    this.#options.onChange(false);
    try {
      const settle = await this.#parts.prompts.withProgress(title, report => {
        this.#report = report;
        return send();
      });
      await settle();
    } finally {
      this.#report = undefined;
      this.isApplying = false;
      this.#options.onChange(false);
    }
  }

  async #applied(run: DesignRun, target: TableDesign): Promise<void> {
    const { name: nameBefore, base } = this.#table;
    const count = run.titles.length;
    this.#table.name = target.name;
    this.#run = undefined;
    this.#unfinishedRun = undefined;
    this.#parts.prompts.showDone(
      count === 1
        ? vscode.l10n.t("Applied 1 statement to '{0}'.", this.name)
        : vscode.l10n.t("Applied {0} statements to '{1}'.", count, this.name),
    );
    // Edits made during the run stay.
    if (!isSameDesign(this.edited.design, target)) await this.#rebase(undefined);
    else if (await this.#readTable()) {
      this.#takeTable(() => this.#keepDraft(base));
      this.#options.onChange(true);
    }
    await this.#followTable(nameBefore);
  }

  async #stopped(run: DesignRun, { message, isUndone }: DesignStop): Promise<void> {
    this.#unfinishedRun = isUndone ? undefined : run.unfinished(message);
    if (isUndone) this.#run = undefined;
    await this.#rebase({ message, actions: isUndone ? [] : run.actions });
    await this.#followTable(this.#table.name);
  }

  /** Reads the table again and keeps the draft. */
  async #rebase(notice: DesignNotice | undefined): Promise<void> {
    const { base } = this.#table;
    this.notice = notice;
    if (!(await this.#readTable())) return;
    this.#keepDraft(base);
    this.#options.onChange(true);
  }

  async #reload(): Promise<void> {
    if (!this.edited.draft) return this.load();
    this.notice = undefined;
    this.#unfinishedRun = undefined;
    this.#run = undefined;
    if (await this.#read()) this.#options.onChange(true);
  }

  async #undo(): Promise<void> {
    const statements = this.#unfinishedRun?.undo ?? [];
    if (statements.length === 0) return;
    const look = this.#lookAt(statements);
    if (!(await this.#answered(this.#parts.prompts.confirmUndo(this.name, statements, look)))) return;
    refuseReadOnly(await this.#parts.projects.get(this.profile.id));
    const run = (this.#run ??= this.#runOf(emptyPlan, this.#unfinishedRun));
    await this.#send(vscode.l10n.t("Undoing the statements of '{0}'", this.name), async () => {
      const stop = await run.undo();
      return async () => (stop ? this.#stopped(run, stop) : this.#undone());
    });
  }

  async #undone(): Promise<void> {
    this.#run = undefined;
    this.#unfinishedRun = undefined;
    await this.#rebase(undefined);
    await this.#followTable(this.#table.name);
  }

  async #restore({ draft, base, unfinished }: DesignMemory): Promise<void> {
    if (draft && !isSameDesign(draftedDesign(draft), base)) {
      const { untouched } = this.edited;
      this.edited.restore(draft);
      if (!base && untouched && isSameTableDesign(draft.design, untouched)) this.edited.untouched = draft.design;
      if (base) {
        this.#table.base = base;
        this.edited.untouched = base;
        await this.#isChanged();
      }
    }
    if (!unfinished) return;
    this.#run = this.#runOf(emptyPlan, unfinished);
    const { undoRefusal, actions } = this.#run;
    const message = [unfinished.message, undoRefusal].filter(text => text !== undefined).join('\n');
    this.notice = { message, actions };
  }

  /** Reads the table and takes its design for the draft. False if it cannot be designed. */
  async #read(): Promise<boolean> {
    const isRead = await this.#readTable();
    if (isRead) this.#takeTable();
    return isRead;
  }

  /** False if the table cannot be designed; the notice says why. */
  async #readTable(): Promise<boolean> {
    const refusal = await this.#table.read();
    const { name } = this.#table;
    if (refusal === undefined || name === undefined) return true;
    this.notice = { message: designRefusalText(refusal, name), actions: ['reload'] };
    this.#options.onChange(false);
    return false;
  }

  #takeTable(keepCrossed?: () => void): void {
    this.edited.give(this.#table.base ?? this.edited.untouched ?? this.#table.newDesign(), keepCrossed);
  }

  /** Columns keep their ids, so that the draft still means the same ones. */
  #keepDraft(baseBefore: TableDesign | undefined): void {
    if (this.edited.draft) this.#table.keepIds(baseBefore, this.edited.draft.design);
    this.edited.untouched = this.#table.base ?? this.edited.untouched;
  }

  /** Whether somebody has changed the table since it was read. The notice says so. */
  async #isChanged(): Promise<boolean> {
    const isChanged = await this.#table.hasChanged();
    if (isChanged) this.notice = changeNotice(this.name);
    return isChanged;
  }

  #planOf(draft: SharedDraft): Promise<DesignPlan> {
    const { base, schema } = this.#table;
    return planDesign({ before: base, after: draftedDesign(draft), schema });
  }

  /** Has the tree, completion and the table's editors show the table as it is now. */
  async #followTable(nameBefore: string | undefined): Promise<void> {
    this.#parts.catalogs.for(this.profile).forget();
    const names = new Set([nameBefore, this.#table.name].filter(name => name !== undefined));
    for (const name of names) await this.#parts.refreshTable(this.profile, name);
  }

  #lookAt(statements: readonly string[]): Look {
    return { shows: 'sql', run: () => this.#openStatements(statements) };
  }

  async #openStatements(statements: readonly string[]): Promise<void> {
    await this.#parts.prompts.openSql(this.profile, statements.map(sql => `${sql};\n`).join('\n'));
  }
}

/** Somebody has changed the table since it was read. */
const changeNotice = (table: string): DesignNotice => ({
  message: vscode.l10n.t(
    "'{0}' has changed in the project since its design was read. Nothing was sent. Keep your changes, and the SQL leads from the table as it is now to your design. Or reload the table without them.",
    table,
  ),
  actions: ['keepEdits', 'reload'],
});

function refuseReadOnly(profile: Profile): void {
  if (profile.protection === 'readOnly') throw new Error(readOnlyProjectText(profile));
}
