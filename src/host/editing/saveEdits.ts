import * as vscode from 'vscode';
import { monotonicClock, systemClock } from '../../base/clock.ts';
import { asProjectError, messageOf } from '../../base/errors.ts';
import { oneLine, shortList } from '../../base/oneLine.ts';
import type { Project, SqlAnswer } from '../../client/index.ts';
import type { CellProblem } from '../../model/editing/cellProblems.ts';
import { type Conflict, keepMine, takeTheirs } from '../../model/editing/conflicts.ts';
import { Save, type SaveOutcome } from '../../model/editing/save.ts';
import { type StoredRows, storedRowsOf, type ChangedCell } from '../../model/editing/storedRows.ts';
import { problemsOfRefusal } from '../../model/editing/saveProblems.ts';
import type { SaveStep } from '../../model/editing/draft.ts';
import type { TypedText } from '../../model/editing/typedTexts.ts';
import type { Profile } from '../../model/profiles.ts';
import { errorMessage } from '../errorMessages.ts';
import { countsOfSteps, type SavePrompts } from './editPrompts.ts';
import { problemText } from './problemText.ts';
import type { TableDocument } from './tableDocument.ts';
import { keyLabel, rowName } from './editText.ts';

const maxTextLength = 60;

interface SaveEditsOptions {
  readonly document: TableDocument;
  readonly project: Pick<Project, 'sql' | 'query'>;
  readonly profile: Profile;
  readonly prompts: SavePrompts;
  readonly signal: AbortSignal;
}

/** Saves the edits of a table. Rejects with a message for the user if edits stay pending. */
export async function saveEdits(options: SaveEditsOptions): Promise<void> {
  const { document, profile } = options;
  if (profile.protection === 'readOnly') {
    throw new Error(vscode.l10n.t("'{0}' is read-only. Change its protection to save.", profile.name));
  }
  await document.whileSaving(() => saveIfConfirmed(options));
}

async function saveIfConfirmed(options: SaveEditsOptions): Promise<void> {
  const { document, profile, prompts } = options;
  const isUnfinished = document.unfinishedSave !== undefined;
  if (profile.protection === 'confirmWrites' && !isUnfinished) {
    const isConfirmed = await prompts.confirmSave(profile, document);
    if (!isConfirmed) throw new vscode.CancellationError();
  }
  const problem = await document.reportSave(() => saveAll(options));
  if (problem !== undefined) throw new Error(problem);
}

/** Saves until nothing is left, or returns why edits are left. The user resolves conflicts in between. */
async function saveAll(options: SaveEditsOptions): Promise<string | undefined> {
  const { document } = options;
  // Somebody may have changed the table since it was read.
  document.editing.forgetSchema();
  // Each round after a conflict sends new statements. Statements of earlier rounds stay saved.
  const savedSteps: SaveStep[] = [];
  for (;;) {
    const save = await nextSave(options);
    if (!(save instanceof Save)) return save;
    const outcome = await runSave(save, options);
    savedSteps.push(...doneSteps(save));
    if (outcome.kind === 'saved') {
      await document.clearSave();
      if (document.editing.edits.isEmpty) return undefined;
    } else if (outcome.kind === 'stale') {
      const problem = await resolveConflicts(outcome.step, options);
      if (problem !== undefined) return withSaved(problem, savedSteps);
    } else return problemOfOutcome(outcome, savedSteps, options);
  }
}

/** The save that has not ended, or else a new one. A text says why nothing can be saved. Undefined if nothing is pending. */
async function nextSave(options: SaveEditsOptions): Promise<Save | string | undefined> {
  const { document } = options;
  const { editing, unfinishedSave, problems } = document;
  if (unfinishedSave) return new Save(unfinishedSave);
  const [text] = editing.shownTexts;
  if (text) return textLeft(text);
  const unknown = await markUnknown(document);
  if (unknown !== undefined) return unknown;
  const steps = await editing.steps();
  await confirmUnrestorable(options);
  if (steps.length === 0) return undefined;
  const [missingCell] = editing.missingCells;
  if (!missingCell) return Save.of(steps, systemClock);
  problems.replace(editing.missingCells);
  return vscode.l10n.t("A new row needs a value in '{0}'. Nothing was saved.", missingCell.column);
}

type FailedOutcome = Exclude<SaveOutcome, { kind: 'saved' | 'stale' }>;

/** Marks what the save has not stored, and returns why. */
async function problemOfOutcome(
  outcome: FailedOutcome,
  savedSteps: readonly SaveStep[],
  options: SaveEditsOptions,
): Promise<string> {
  const { document } = options;
  const { step } = outcome;
  switch (outcome.kind) {
    case 'partly': {
      const { ignoredIds } = outcome.rows;
      document.problems.replace(ignoredIds.map(rowId => ({ rowId, column: undefined, fault: { kind: 'ignored' } })));
      const earlier = savedSteps.filter(other => other !== step);
      return withSaved(partlyText(step, outcome.rows, document), earlier);
    }
    case 'refused':
      await markRefusal(step, outcome.error, options);
      return refusalWithSaved(savedSteps, step, errorMessage(outcome.error));
    case 'unknown':
      return vscode.l10n.t(
        '{0} It is unknown whether the changes were saved. Choose Check Outcome; nothing is saved twice.',
        errorMessage(outcome.error),
      );
    case 'notSent':
      return vscode.l10n.t('The save did not end.');
    case 'expired':
      return vscode.l10n.t(
        'The last save got no answer, and the service no longer remembers it. It is unknown whether the changes were saved. Choose Check Outcome.',
      );
  }
}

/** A typed text that is no value keeps the whole table from being saved. */
const textLeft = ({ column, text, rowId, fault = { kind: 'notEntered' } }: TypedText): string =>
  `${vscode.l10n.t("Nothing was saved, because of the text '{0}'.", oneLine(text, maxTextLength))} ${problemText({ rowId, column, fault })}`;

interface RunSaveOptions {
  readonly onlySent?: boolean;
  readonly onAnswer?: (answer: SqlAnswer) => void;
}

async function runSave(
  save: Save,
  { document, project, prompts, signal }: SaveEditsOptions,
  { onlySent = false, onAnswer }: RunSaveOptions = {},
): Promise<SaveOutcome> {
  const outcome = await save.run({
    project,
    clock: monotonicClock,
    systemClock,
    signal,
    onProgress: steps => document.keepSave(steps),
    onlySent,
    onDone: async (step, answer) => {
      onAnswer?.(answer);
      const { editing } = document;
      const table = await editing.schema();
      const rows = step.rowIds.flatMap(id => editing.edits.get(id) ?? []);
      const isKnown = typeof table !== 'string' && rows.length === step.rowIds.length;
      const stored: StoredRows = isKnown
        ? await storedRowsOf({ project, table, step, rows, answer, signal })
        : { storedIds: step.rowIds, ignoredIds: [], keys: new Map(), changedCells: [] };
      if (step.kind === 'insert') for (const [id, key] of stored.keys) editing.savedKeys.set(id, key);
      settleStep(document, step, stored.storedIds);
      if (stored.changedCells.length > 0) prompts.showOutcome(changedCellsText(stored.changedCells));
      return stored;
    },
  });
  // Statements that were not sent are made again with the next save.
  if (['stale', 'refused', 'partly'].includes(outcome.kind)) await document.clearSave();
  return outcome;
}

async function confirmUnrestorable({ document, prompts }: SaveEditsOptions): Promise<void> {
  if (document.editing.unrestorableCount === 0) return;
  const isConfirmed = await prompts.confirmUnrestorable(document);
  if (!isConfirmed) throw new vscode.CancellationError();
}

/** Removes stored rows from the pending edits. */
function settleStep(document: TableDocument, step: SaveStep, storedIds: readonly string[]): void {
  const isStored = new Set(storedIds);
  const rows = step.rowIds.flatMap(id => (isStored.has(id) ? (document.editing.edits.get(id) ?? []) : []));
  document.overlay.keepSaved(rows);
  document.editing.edits.apply(rows.map(row => ({ id: row.id, before: row, after: undefined })));
}

/** Asks the user about each conflict. Undefined when all are resolved, so that the rest can be saved. */
async function resolveConflicts(
  step: SaveStep,
  { document, prompts, signal }: SaveEditsOptions,
): Promise<string | undefined> {
  const { editing, table } = document;
  const conflicts = await editing.conflicts(step, signal);
  if (conflicts.length === 0) {
    return vscode.l10n.t(
      'The service changed no row, although all of them are as they were. A trigger may have kept them.',
    );
  }
  const open = conflicts.filter(conflict => !isSettled(conflict));
  document.editing.edits.apply(keepMine(conflicts.filter(isSettled)));
  if (open.length > 0) {
    const mine = await prompts.resolveConflicts(table.name, open);
    if (!mine) {
      document.problems.replace(open.map(problemOfConflict));
      return conflictMessage(open);
    }
    document.editing.edits.apply(keepMine(withPendingRows(document, open, mine)));
    // The next statement finds what others have changed while the question was open.
    const others = new Set(open.filter(conflict => !mine.has(conflict)));
    document.editing.edits.apply(takeTheirs(withPendingRows(document, open, others)));
  }
  await document.writeDraft();
  return undefined;
}

/** The chosen conflicts, each with its row as it is pending now: an earlier choice may have changed the row. */
function withPendingRows(
  { editing }: TableDocument,
  conflicts: readonly Conflict[],
  chosenConflicts: ReadonlySet<Conflict>,
): Conflict[] {
  return conflicts.flatMap(conflict => {
    const row = editing.edits.get(conflict.row.id);
    return chosenConflicts.has(conflict) && row && row.kind !== 'insert' ? [{ ...conflict, row }] : [];
  });
}

/** Somebody else has stored the same value. */
const isSettled = (conflict: Conflict): boolean =>
  conflict.kind === 'cell' && JSON.stringify(conflict.theirs) === JSON.stringify(conflict.mine);

function conflictMessage(conflicts: readonly Conflict[]): string {
  const count = new Set(conflicts.map(({ row }) => row.id)).size;
  return count === 1
    ? vscode.l10n.t('1 row has changed in the table since you edited it. Save again to decide on it.')
    : vscode.l10n.t('{0} rows have changed in the table since you edited them. Save again to decide on them.', count);
}

const problemOfConflict = (conflict: Conflict): CellProblem => ({
  rowId: conflict.row.id,
  column: conflict.kind === 'cell' ? conflict.column : undefined,
  fault:
    conflict.kind === 'cell'
      ? { kind: 'conflict', base: conflict.base, theirs: conflict.theirs, mine: conflict.mine }
      : { kind: 'missingRow' },
});

/** Marks the conflicts of a statement that changed nothing, and returns how many there are. Undefined without any. */
async function markConflicts(step: SaveStep, { document, signal }: SaveEditsOptions): Promise<string | undefined> {
  const open = (await document.editing.conflicts(step, signal)).filter(conflict => !isSettled(conflict));
  document.problems.replace(open.map(problemOfConflict));
  return open.length === 0 ? undefined : conflictMessage(open);
}

async function markRefusal(step: SaveStep, error: unknown, options: SaveEditsOptions): Promise<void> {
  const { document, project, signal } = options;
  const { editing, problems } = document;
  // Other faults, such as a wrong key, concern no cell.
  if (!editing.table || asProjectError(error)?.code !== 'sql_error') return;
  const rows = step.rowIds.flatMap(id => editing.edits.get(id) ?? []);
  const refusalProblems = await problemsOfRefusal({
    project,
    table: editing.table,
    step,
    rows,
    message: messageOf(error),
    signal,
  });
  problems.replace(refusalProblems);
}

const doneSteps = ({ steps }: Save): SaveStep[] =>
  steps.filter(({ state }) => state === 'done').map(({ step }) => step);

const withSaved = (text: string, savedSteps: readonly SaveStep[]): string =>
  savedSteps.length === 0 ? text : `${text} ${savedText(savedSteps)}`;

function refusalWithSaved(done: readonly SaveStep[], refusedStep: SaveStep, message: string): string {
  const nothing = done.length === 0 ? vscode.l10n.t('Nothing was saved.') : savedText(done);
  // SQLite ends its messages without a full stop.
  const reason = /[.!?]$/.test(message) ? message : `${message}.`;
  return `${refusedText(refusedStep)} ${reason} ${nothing}`;
}

function refusedText({ kind, rowIds: { length: count } }: SaveStep): string {
  switch (kind) {
    case 'delete':
      return count === 1 ? vscode.l10n.t('1 row was not deleted:') : vscode.l10n.t('{0} rows were not deleted:', count);
    case 'insert':
      return count === 1 ? vscode.l10n.t('1 row was not added:') : vscode.l10n.t('{0} rows were not added:', count);
    case 'update':
      return count === 1 ? vscode.l10n.t('1 row was not updated:') : vscode.l10n.t('{0} rows were not updated:', count);
  }
}

function savedText(savedSteps: readonly SaveStep[]): string {
  const counts = countsOfSteps(savedSteps, true);
  return counts === '' ? vscode.l10n.t('None of the edits was saved.') : vscode.l10n.t('Saved before it: {0}.', counts);
}

const maxShownRows = 10;

/** Names the rows that a statement has stored, and those that the database has left as they were. */
function partlyText(step: SaveStep, { storedIds, ignoredIds, keys }: StoredRows, { editing }: TableDocument): string {
  const { edits } = editing;
  const storedRows = shortList(
    storedIds.map(id => keyLabel(keys.get(id) ?? [])),
    maxShownRows,
    '; ',
  );
  const ignoredRows = shortList(
    ignoredIds.map(id => {
      const row = edits.get(id);
      return row ? rowName(row, edits) : '';
    }),
    maxShownRows,
    '; ',
  );
  const counts = [storedIds.length, step.rowIds.length, storedRows, ignoredRows] as const;
  const text = textOfKind(step.kind, counts);
  return `${text} ${vscode.l10n.t('A trigger may have ignored them. Their edits are pending.')}`;
}

function textOfKind(kind: SaveStep['kind'], counts: readonly [number, number, string, string]): string {
  switch (kind) {
    case 'delete':
      return vscode.l10n.t('{0} of {1} rows were deleted ({2}). The database has kept the others ({3}).', ...counts);
    case 'insert':
      return vscode.l10n.t('{0} of {1} rows were added ({2}). The database has left the others out ({3}).', ...counts);
    case 'update':
      return vscode.l10n.t(
        '{0} of {1} rows were updated ({2}). The database has left the others as they were ({3}).',
        ...counts,
      );
  }
}

function changedCellsText(cells: readonly ChangedCell[]): string {
  const names = cells.slice(0, maxShownRows + 1).map(({ key, column }) => `${keyLabel(key)} · ${column}`);
  return vscode.l10n.t(
    'The table has other values than were saved in these cells: {0}. A trigger may have changed them. Refresh the table to see them.',
    shortList(names, maxShownRows, '; '),
  );
}

/** Marks edits of columns and keys that the table no longer has, and says what to do. Undefined without any. */
async function markUnknown({ editing, problems }: TableDocument): Promise<string | undefined> {
  const cells = await editing.unknownCells();
  const [first] = cells;
  if (!first) return undefined;
  problems.replace(cells);
  return first.column === undefined
    ? vscode.l10n.t(
        'The table has another key than the one its rows were edited by. Nothing was saved. Discard the changes and edit the table again.',
      )
    : vscode.l10n.t(
        "The table no longer has a column '{0}'. Nothing was saved. Revert the marked rows, and edit them again.",
        first.column,
      );
}

/**
 * Finds out whether a save without an answer was done. Its last statement is sent again with its key, so the service does it
 * once. Later statements are not sent: their edits become pending again.
 */
export async function checkOutcome(options: SaveEditsOptions): Promise<void> {
  const { document, prompts } = options;
  await document.whileSaving(async () => {
    const { unfinishedSave } = document;
    if (!unfinishedSave) return;
    const checking = document.reportSave(async () => {
      const { problem, message } = await check(new Save(unfinishedSave), options);
      if (message !== undefined) prompts.showOutcome(message);
      return problem;
    });
    // The document shows what went wrong.
    await checking.catch(() => undefined);
  });
}

interface OutcomeReport {
  /** Why something is not saved. */
  readonly problem?: string;
  readonly message?: string;
}

async function check(save: Save, options: SaveEditsOptions): Promise<OutcomeReport> {
  const answers: SqlAnswer[] = [];
  const outcome = await runSave(save, options, { onlySent: true, onAnswer: answer => answers.push(answer) });
  switch (outcome.kind) {
    case 'saved':
    case 'notSent':
      await options.document.clearSave();
      return { message: doneText(save, answers, outcome.kind === 'saved') };
    case 'stale':
      return { problem: (await markConflicts(outcome.step, options)) ?? pendingAgain() };
    case 'expired':
      return askTheUser(outcome.step, options);
    default:
      return { problem: await problemOfOutcome(outcome, doneSteps(save), options) };
  }
}

/** Only a replayed answer proves that the work was done before. */
function doneText(save: Save, answers: readonly SqlAnswer[], isAll: boolean): string {
  const done = doneSteps(save);
  const counts = countsOfSteps(done, true) || vscode.l10n.t('none of the edits yet');
  const saved = answers.every(({ replayed }) => replayed)
    ? vscode.l10n.t('The last save had been done: {0}.', counts)
    : vscode.l10n.t('The last save is done: {0}.', counts);
  return isAll ? saved : `${saved} ${othersPending()}`;
}

const othersPending = (): string => vscode.l10n.t('The other changes are pending. Choose Save Changes to send them.');

const pendingAgain = (): string =>
  vscode.l10n.t('The last save was not done. Its changes are pending. Choose Save Changes to send them.');

/** The service no longer remembers the key. The user decides, since the service could do the statement twice. */
async function askTheUser(step: SaveStep, { document, prompts }: SaveEditsOptions): Promise<OutcomeReport> {
  const choice = await prompts.askAboutExpired(document);
  if (choice === 'cancel') return { problem: vscode.l10n.t('The outcome of the last save is unknown.') };
  // Later statements were never sent, so their edits stay.
  if (choice === 'discard') settleStep(document, step, step.rowIds);
  await document.clearSave();
  return choice === 'keep' || document.editing.edits.isEmpty ? {} : { message: othersPending() };
}
