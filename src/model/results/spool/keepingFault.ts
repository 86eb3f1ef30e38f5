import { messageOf, ProjectError } from '../../../base/errors.ts';
import { asRecord } from '../../../base/shape.ts';

const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Why rows could not be kept on the disk of this machine, told apart by whether room would help. */
export function keepingFault(cause: unknown): ProjectError {
  const code = full.has(asRecord(cause)?.['code']) ? 'no_room_for_rows' : 'rows_not_kept';
  return new ProjectError('closed', code, messageOf(cause), { cause });
}
