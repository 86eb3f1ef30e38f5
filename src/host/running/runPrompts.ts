import type { ParameterFields } from '../../model/parameters/parameterFields.ts';
import type { ParamsLineValues, TypedValue } from '../../model/parameters/parameterValues.ts';
import type { Profile } from '../../model/profiles.ts';
import type { SessionPart } from '../../sql/effect/statementEffect.ts';
import type { AnalyzedStatement } from './boundStatement.ts';
import type { TouchedRows } from '../../model/touchedRows.ts';

/** A message or question lists this many statements and counts the others. */
export const maxListed = 8;

/** A statement that needs a confirmation, with the rows that it would touch. */
export interface RiskyStatement extends AnalyzedStatement {
  readonly touchedRows: TouchedRows | undefined;
}

export interface RunQuestion {
  readonly profile: Profile;
  /** The first risky statements, {@link maxListed} at most. */
  readonly statements: readonly RiskyStatement[];
  readonly riskyCount: number;
  /** All statements that would run, risky or not. */
  readonly totalCount: number;
}

export interface RefusedRun {
  readonly profile: Profile;
  readonly refusedStatements: readonly AnalyzedStatement[];
  readonly totalCount: number;
}

/** A statement that only changes its connection. It has no use: the service runs each statement on a new connection. */
export interface SessionStatement {
  readonly sql: string;
  readonly part: SessionPart;
}

export interface ParameterQuestion {
  readonly profile: Profile;
  readonly sql: string;
  readonly fields: ParameterFields;
  /** The last sets of values, the newest first. */
  readonly recent: readonly (readonly (TypedValue | undefined)[])[];
  /** The offset of the statement in its document. */
  readonly start: number;
  /** The number of the statement among those that run, from 1 on. */
  readonly number: number;
  readonly totalCount: number;
}

export type ParamsLineFault = Exclude<ParamsLineValues, { kind: 'values' }>;

/** Everything that running shows or asks before it sends a statement. `show…` says why nothing was run. */
export interface RunPrompts {
  showOtherProject(names: { readonly inLine: string; readonly ofDocument: string }): void;
  showSessionStatement(statement: SessionStatement): void;
  showRefusal(refusal: RefusedRun): void;
  showNamedParameter(name: string): void;
  showParamsLineFault(fault: ParamsLineFault, parameterCount: number): void;
  /** Asks whether the other statements of a script shall run although its transaction cannot. */
  confirmWithoutTransaction(statement: SessionStatement, otherCount: number): Promise<boolean>;
  confirmRun(question: RunQuestion): Promise<boolean>;
  /** Resolves to undefined when the user cancels. */
  promptForValues(form: ParameterQuestion): Promise<readonly TypedValue[] | undefined>;
}
