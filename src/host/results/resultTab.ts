import { randomUUID } from 'node:crypto';
import { oneLine } from '../../base/oneLine.ts';
import { formatMoment } from '../../base/timeOfDay.ts';
import type { TabEntry, TabStatement } from '../../model/results/resultTabs.ts';
import { type Run, hasEnded } from '../../model/results/run.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Result, ResultHistory, ResultSubject } from './result.ts';

const maxTitleLength = 40;

/** A result with a name, open in the panel or in an editor. */
export class ResultTab implements Result, TabEntry {
  readonly id: string;
  readonly run: Run;
  readonly subject: ResultSubject;
  title: string;
  /** Whether the user has set the title. */
  isRenamed: boolean;
  /** When the run started, in milliseconds since the epoch. */
  readonly startedAt: number | undefined;
  readonly isRestored: boolean;
  /** The previous result of the statement. The grid keeps the columns as they were there. */
  formerRunId: string | undefined;
  isPinned = false;
  /** Whether its rows are in a file that outlives the window. */
  isSaved = false;

  /** A restored result has its id and its title in an earlier window. */
  constructor(
    run: Run,
    subject: ResultSubject,
    options: Partial<Pick<ResultTab, 'id' | 'title' | 'isRenamed' | 'startedAt' | 'isRestored'>> = {},
  ) {
    const { id = randomUUID(), title, startedAt, isRenamed = false, isRestored = false } = options;
    this.id = id;
    this.run = run;
    this.subject = subject;
    this.title =
      title ?? (oneLine(subject.title ?? '', maxTitleLength) || statementLabel(subject.statement, maxTitleLength));
    this.startedAt = startedAt;
    this.isRenamed = isRenamed;
    this.isRestored = isRestored;
  }

  /** The title with the time of the run, unless the user has set the title. `now` is in milliseconds since the epoch. */
  titleAt(now: number, language: string): string {
    const { title, startedAt } = this;
    if (this.isRenamed || startedAt === undefined) return title;
    return `${title} · ${formatMoment(startedAt, now, language)}`;
  }

  get statement(): TabStatement {
    const { profile, statement, origin, plan } = this.subject;
    return {
      project: profile.id,
      text: statement,
      document: origin?.uri,
      start: origin?.start,
      isUnchanged: origin?.isUnchanged ?? false,
      isPlan: plan !== undefined,
    };
  }

  get history(): ResultHistory {
    const { run, isRestored, startedAt, formerRunId } = this;
    return {
      ...(isRestored && run.state === 'running' && { isRestoring: true }),
      ...(isRestored && startedAt !== undefined && { restoredFrom: startedAt }),
      ...(formerRunId !== undefined && { formerRunId }),
    };
  }

  get isWriting(): boolean {
    return this.run.isWriting ?? false;
  }

  get isUnderWay(): boolean {
    return !hasEnded(this.run);
  }
}
