import { randomUUID } from 'node:crypto';
import type { TabEntry, TabStatement } from '../../model/results/resultTabs.ts';
import type { Run } from '../../model/results/run.ts';
import { hasEnded } from '../../model/results/runEvents.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Result, ResultSubject } from './result.ts';

const maxTitleLength = 40;

/** A result with a name, open in the panel or in an editor. */
export class ResultTab implements Result, TabEntry {
  readonly id: string;
  readonly run: Run;
  readonly subject: ResultSubject;
  title: string;
  isPinned = false;
  /** Whether its rows are in a file that outlives the window. */
  isSaved = false;

  constructor(run: Run, subject: ResultSubject, id: string = randomUUID()) {
    this.id = id;
    this.run = run;
    this.subject = subject;
    this.title = subject.title ?? statementLabel(subject.statement, maxTitleLength);
  }

  get statement(): TabStatement {
    const { profile, statement, origin } = this.subject;
    return {
      project: profile.id,
      text: statement,
      document: origin?.uri,
      start: origin?.start,
      isUnchanged: origin?.isUnchanged ?? false,
    };
  }

  get isWriting(): boolean {
    return this.run.isWriting ?? false;
  }

  get isUnderWay(): boolean {
    return !hasEnded(this.run);
  }
}
