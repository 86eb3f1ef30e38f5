import { findSyntaxFault } from '../../src/sql/parser/parser.ts';
import type { SqliteOracle } from './sqliteOracle.ts';

/** Whether the parser and SQLite agree on a statement. */
export interface Agreement {
  readonly accepts: boolean;
  /** Undefined where SQLite does not report the position of the fault. */
  readonly position: boolean | undefined;
}

export function agreement(oracle: SqliteOracle, sql: string): Agreement {
  const { kind, message, offset, tail } = oracle.prepare(sql);
  const fault = findSyntaxFault(sql);
  // SQLite may report an unknown name before it reads the token that has a syntax fault.
  // It refuses `1__0` and `#1` only after the next token, which may have a fault of its own.
  const isLate = fault !== undefined && /^(?:#|[\d.].*_)/.test(fault.token);
  const stoppedEarlier = kind === 'semantic' && fault !== undefined && (isLate || tail <= fault.offset + fault.length);
  const accepts = stoppedEarlier || (kind === 'syntax') === (fault !== undefined);
  if (!fault || kind !== 'syntax') return { accepts, position: undefined };
  if (isLate && (offset > fault.offset || message === 'incomplete input')) return { accepts, position: undefined };
  if (offset !== -1) return { accepts, position: offset === fault.offset };
  return { accepts, position: message === 'incomplete input' ? fault.offset === sql.length : undefined };
}
