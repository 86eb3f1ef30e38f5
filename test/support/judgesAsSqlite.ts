import { findSyntaxFault } from '../../src/sql/parser/parser.ts';
import type { SqliteOracle } from './sqliteOracle.ts';

/** How the parser's word on a statement stands to SQLite's. `undefined` where SQLite does not say where the fault is. */
export interface Agreement {
  readonly accepts: boolean;
  readonly position: boolean | undefined;
}

export function agreement(oracle: SqliteOracle, sql: string): Agreement {
  const { kind, message, offset, tail } = oracle.judge(sql);
  const fault = findSyntaxFault(sql);
  // SQLite may see what is wrong with a part before it reads the rest, where the grammar would have its say.
  // It refuses `1__0` and `#1` only once it has looked at the next token, when what it sees then may hide them.
  const isLate = fault !== undefined && /^(?:#|[\d.].*_)/.test(fault.token);
  const stopped = kind === 'semantic' && fault !== undefined && (isLate || tail <= fault.offset + fault.length);
  const accepts = stopped || (kind === 'syntax') === (fault !== undefined);
  if (!fault || kind !== 'syntax') return { accepts, position: undefined };
  if (isLate && (offset > fault.offset || message === 'incomplete input')) return { accepts, position: undefined };
  if (offset !== -1) return { accepts, position: offset === fault.offset };
  return { accepts, position: message === 'incomplete input' ? fault.offset === sql.length : undefined };
}
