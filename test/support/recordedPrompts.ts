import type { TypedValue } from '../../src/model/parameters/parameterValues.ts';
import type {
  ParameterQuestion,
  RefusedRun,
  RunPrompts,
  RunQuestion,
  SessionStatement,
} from '../../src/host/running/runPrompts.ts';

/** Records the questions and messages of running, and answers the questions as a test wants. */
export class RecordedPrompts implements RunPrompts {
  /** The methods that were called, in order. */
  readonly calls: (keyof RunPrompts)[] = [];
  readonly questions: RunQuestion[] = [];
  readonly refusals: RefusedRun[] = [];
  readonly sessionStatements: SessionStatement[] = [];
  readonly forms: ParameterQuestion[] = [];
  readonly details: unknown[] = [];
  /** The answer to every question with a button. */
  isConfirmed = true;
  fillForm: (form: ParameterQuestion) => readonly TypedValue[] | undefined = () => undefined;

  showOtherProject(names: { readonly inLine: string; readonly ofDocument: string }): void {
    this.calls.push('showOtherProject');
    this.details.push(names);
  }

  showSessionStatement(statement: SessionStatement): void {
    this.calls.push('showSessionStatement');
    this.sessionStatements.push(statement);
  }

  showRefusal(refusal: RefusedRun): void {
    this.calls.push('showRefusal');
    this.refusals.push(refusal);
  }

  showParamsLineFault(fault: Parameters<RunPrompts['showParamsLineFault']>[0]): void {
    this.calls.push('showParamsLineFault');
    this.details.push(fault);
  }

  confirmWithoutTransaction(statement: SessionStatement): Promise<boolean> {
    this.calls.push('confirmWithoutTransaction');
    this.sessionStatements.push(statement);
    return Promise.resolve(this.isConfirmed);
  }

  confirmRun(question: RunQuestion): Promise<boolean> {
    this.calls.push('confirmRun');
    this.questions.push(question);
    return Promise.resolve(this.isConfirmed);
  }

  promptForValues(form: ParameterQuestion): Promise<readonly TypedValue[] | undefined> {
    this.calls.push('promptForValues');
    this.forms.push(form);
    return Promise.resolve(this.fillForm(form));
  }
}
