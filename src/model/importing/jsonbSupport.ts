import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { SqlAnswer, SqlCallOptions } from '../../client/index.ts';
import type { SqlRequest } from '../../wire/sqlRequest.ts';
import { orIfRefused } from './refusal.ts';

/** A statement that needs `jsonb_each` and texts in single quotes, as in JSON5. */
const jsonbProbe = {
  sql: "SELECT r.value ->> '$[0]' AS value FROM jsonb_each(jsonb(?)) AS r",
  params: [`[['"']]`],
};

/** Whether a service has `jsonb_each`. The answer holds for a whole import, so that a batch is sent again unchanged. */
export const hasJsonb = (
  send: (request: SqlRequest, options: SqlCallOptions) => Promise<SqlAnswer>,
): Promise<boolean> =>
  orIfRefused(false, async () => {
    const { rows } = await send(jsonbProbe, { isReadOnly: true, maxAnswerBytes: maxSmallAnswerBytes });
    return rows[0]?.['value'] === '"';
  });
