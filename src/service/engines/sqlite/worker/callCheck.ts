import { placeholders } from '../../../../sql/parameters/placeholders.ts';
import { splitStatements } from '../../../../sql/text/splitter.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import type { SqlParameter } from '../../../../wire/values.ts';

/** The authorizer hears of a VACUUM only when it runs, and by then it is too late for a good word. */
export function requireNoVacuum(sql: string): void {
  const [statement] = splitStatements(sql);
  if (!statement || !/^vacuum\b/i.test(sql.slice(statement.start, statement.start + 7))) return;
  const message = 'VACUUM is not allowed in a call: it is an operation of the service, for whoever runs it.';
  throw new ServiceError({ status: 422, code: serviceCodes.deniedStatement, message });
}

export function requireOneStatement(sql: string): void {
  const count = splitStatements(sql).length;
  if (count === 1) return;
  const message = count === 0 ? 'There is no statement to run.' : `One statement a call is taken; there are ${count}.`;
  const code = count === 0 ? serviceCodes.badRequest : serviceCodes.multipleStatements;
  throw new ServiceError({ status: 400, code, message });
}

/** SQLite stops reading where its statement ends, and must not stop before the splitter does. */
export function requireNothingBehind(rest: string): void {
  if (splitStatements(rest).length === 0) return;
  const message = 'One statement a call is taken; SQLite sees another one behind the first.';
  throw new ServiceError({ status: 400, code: serviceCodes.multipleStatements, message });
}

/** SQLite would bind NULL to a `?` that nothing came for, which no caller wants. */
export function requireParameters(sql: string, params: readonly SqlParameter[]): void {
  const marks = placeholders(sql);
  const odd = marks.find(({ positional }) => !positional);
  if (odd) {
    const message = `Only positional ? placeholders are taken, not ${sql.slice(odd.start, odd.end)}.`;
    throw new ServiceError({ status: 400, code: serviceCodes.parameterMismatch, message });
  }
  if (marks.length === params.length) return;
  const message = `The statement has ${marks.length} ? and ${params.length} values came with it.`;
  throw new ServiceError({ status: 400, code: serviceCodes.parameterMismatch, message });
}
