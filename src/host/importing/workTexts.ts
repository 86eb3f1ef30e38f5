import * as vscode from 'vscode';
import type { ImportPlan, ImportProgress, ImportWork } from '../../model/importing/journal.ts';
import { shortList } from '../../base/oneLine.ts';
import { type ImportEnd, maxRejectedInRow, unknownRows, type UnknownRows } from '../../model/importing/importEnd.ts';
import { numberText, rowsText } from '../numbers.ts';
import { modeName, reasonText } from './importTexts.ts';

/** The sentences in which an import, a copy and generated rows differ. */
interface WorkTexts {
  readonly title: (table: string) => string;
  readonly running: (table: string) => string;
  readonly paused: (table: string) => string;
  readonly doneText: (rowCount: number, table: string) => string;
  readonly cancelled: () => string;
  readonly stopped: () => string;
  readonly stoppedAt: (line: number, reason: string) => string;
  readonly unfinished: (plan: ImportPlan, rowCount: number) => string;
}

export const workTexts: Readonly<Record<ImportWork, WorkTexts>> = {
  import: {
    title: table => vscode.l10n.t("Importing into '{0}'", table),
    running: table => vscode.l10n.t('Importing into {0}', table),
    paused: table => vscode.l10n.t('Import into {0} Paused', table),
    doneText: (count, table) =>
      count === 1
        ? vscode.l10n.t("Imported 1 row into '{0}'.", table)
        : vscode.l10n.t("Imported {0} rows into '{1}'.", numberText(count), table),
    cancelled: () => vscode.l10n.t('The import was cancelled.'),
    stopped: () => vscode.l10n.t('The import has stopped.'),
    stoppedAt: (line, reason) => vscode.l10n.t('The import stopped at line {0}: {1}', numberText(line), reason),
    unfinished: ({ source, target }, count) =>
      vscode.l10n.t(
        "The import of {0} into '{1}' has not ended. {2} are imported.",
        source.name,
        target.table,
        rowsText(count),
      ),
  },
  copy: {
    title: table => vscode.l10n.t("Copying into '{0}'", table),
    running: table => vscode.l10n.t('Copying into {0}', table),
    paused: table => vscode.l10n.t('Copy into {0} Paused', table),
    doneText: (count, table) =>
      count === 1
        ? vscode.l10n.t("Copied 1 row into '{0}'.", table)
        : vscode.l10n.t("Copied {0} rows into '{1}'.", numberText(count), table),
    cancelled: () => vscode.l10n.t('The copy was cancelled.'),
    stopped: () => vscode.l10n.t('The copy has stopped.'),
    stoppedAt: (line, reason) => vscode.l10n.t('The copy stopped at row {0}: {1}', numberText(line), reason),
    unfinished: ({ source, target }, count) =>
      vscode.l10n.t(
        "The copy of {0} into '{1}' has not ended. {2} are copied.",
        source.name,
        target.table,
        rowsText(count),
      ),
  },
  generate: {
    title: table => vscode.l10n.t("Adding generated rows to '{0}'", table),
    running: table => vscode.l10n.t('Adding Rows to {0}', table),
    paused: table => vscode.l10n.t('Adding Rows to {0} Paused', table),
    doneText: (count, table) =>
      count === 1
        ? vscode.l10n.t("Added 1 generated row to '{0}'.", table)
        : vscode.l10n.t("Added {0} generated rows to '{1}'.", numberText(count), table),
    cancelled: () => vscode.l10n.t('The generated rows were cancelled.'),
    stopped: () => vscode.l10n.t('The generated rows have stopped.'),
    stoppedAt: (line, reason) => vscode.l10n.t('The generated rows stopped at row {0}: {1}', numberText(line), reason),
    unfinished: ({ target }, count) =>
      vscode.l10n.t("Not all generated rows are in '{0}'. {1} are written.", target.table, rowsText(count)),
  },
};

// The sentences about an import that has ended, or that an earlier window has left.

/** Says why an import has ended, what it has written, and what not. */
export function endText({ target, work, source, stopsAtRejection }: ImportPlan, run: ImportEnd): string {
  const { state, progress, lastRejection } = run;
  const { sentRows, changedRows, rejectedRows } = progress.counts;
  const texts = workTexts[work];
  const parts = [texts.doneText(changedRows, target.table)];
  if (state === 'cancelled') parts.unshift(texts.cancelled());
  if (state === 'failed') parts.unshift(texts.stopped());
  if (state === 'stopped' && lastRejection) {
    const { line, reason } = lastRejection;
    parts.unshift(texts.stoppedAt(line, reasonText(reason)));
  }
  if (state === 'stopped' && !stopsAtRejection) {
    const count = numberText(maxRejectedInRow);
    parts.push(vscode.l10n.t('{0} rows in a row were rejected. Resume continues, however many follow.', count));
  }
  if (run.isLastCallUnknown) parts.push(openText(progress));
  const unchanged = sentRows - changedRows;
  if (unchanged > 0 && target.mode === 'ignore') {
    parts.push(vscode.l10n.t('{0} already existed.', rowsText(unchanged)));
  }
  if (unchanged > 0 && target.mode === 'update') {
    parts.push(vscode.l10n.t('{0} matched no row, or had the key of a later one.', rowsText(unchanged)));
  }
  if (rejectedRows > 0) {
    parts.push(
      rejectedRows === 1
        ? vscode.l10n.t('1 row was rejected.')
        : vscode.l10n.t('{0} rows were rejected.', numberText(rejectedRows)),
    );
  }
  if (run.hasOrphans) {
    parts.push(
      vscode.l10n.t(
        "Some refer to rows that are not there: add these first. If two tables refer to each other, leave the column out for one of them, and fill it afterwards with '{0}'.",
        modeName('update'),
      ),
    );
  }
  if (run.isSourceChanged) {
    parts.push(vscode.l10n.t('Rows of {0} were added or deleted during the copy: compare both tables.', source.name));
  }
  if (run.refusedStatements.length > 0) {
    parts.push(vscode.l10n.t('A trigger was not created: {0}', run.refusedStatements.join(' ')));
  }
  return parts.join(' ');
}

/** Says how far an import of an earlier window has come. */
export function unfinishedText(plan: ImportPlan, progress: ImportProgress): string {
  const text = workTexts[plan.work].unfinished(plan, progress.counts.changedRows);
  return [text, openText(progress)].filter(part => part !== '').join(' ');
}

/** The rows of a call without an answer. Empty if there is none. */
function openText(progress: ImportProgress): string {
  const rows = unknownRows(progress);
  if (!rows) return '';
  return 'lines' in rows
    ? vscode.l10n.t(
        'It is not known yet whether the rows of lines {0} are, too. Resume to find out.',
        linesText(rows.lines),
      )
    : vscode.l10n.t(
        'It is not known yet whether rows {0} to {1} are, too. Resume to find out.',
        numberText(rows.from),
        numberText(rows.to),
      );
}

/** Asks about rows that the service may have written and forgotten. */
export const unknownRowsText = (rows: UnknownRows, table: string): string =>
  'lines' in rows
    ? vscode.l10n.t(
        "The answer to the rows of lines {0} was lost, and the service no longer knows whether it wrote them. Check whether '{1}' has them.",
        linesText(rows.lines),
        table,
      )
    : vscode.l10n.t(
        "The answer to rows {0} to {1} was lost, and the service no longer knows whether it wrote them. Check whether '{2}' has them.",
        numberText(rows.from),
        numberText(rows.to),
        table,
      );

const maxListedLines = 20;

const linesText = (lines: readonly number[]): string => shortList(lines.map(numberText), maxListedLines);
