import { randomUUID } from 'node:crypto';
import type { ResultTab, TabStatement } from '../../model/results/resultTabs.ts';
import { hasEnded, type Run } from '../../model/results/run.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Result, ResultSubject } from './result.ts';

/** Longer statements would make tabs that push the others out of view. */
const maxTitleLength = 40;

/** A result that is kept among others, under a name, until somebody closes it or newer ones take its place. */
export class KeptResult implements Result, ResultTab {
  readonly id: string;
  readonly run: Run;
  readonly subject: ResultSubject;
  title: string;
  isPinned = false;
  /** Whether its rows outlive the window. */
  isKept = false;

  constructor(run: Run, subject: ResultSubject, id: string = randomUUID()) {
    this.id = id;
    this.run = run;
    this.subject = subject;
    this.title = subject.title ?? statementLabel(subject.statement, maxTitleLength);
  }

  get statement(): TabStatement {
    const { profile, statement: text, origin } = this.subject;
    const place = { document: origin?.uri.toString(), start: origin?.start, stands: origin?.stands ?? false };
    return { project: profile.id, text, ...place };
  }

  get isWriting(): boolean {
    return this.run.isWriting ?? false;
  }

  get isUnderWay(): boolean {
    return !hasEnded(this.run);
  }
}
