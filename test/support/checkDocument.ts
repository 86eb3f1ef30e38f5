import type { ShadowReport } from '../../src/sql/shadow/shadowReport.ts';
import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';

export interface CheckedStatement {
  readonly start: number;
  readonly report: ShadowReport;
}

/** What the shadow says of each statement of a document, where a change of the schema counts for the statements behind it. */
export async function checkDocument(shadow: ShadowSchema, text: string, detailed = false): Promise<CheckedStatement[]> {
  const checked: CheckedStatement[] = [];
  let { state } = shadow;
  for (const { start, end } of splitStatements(text)) {
    const statement = text.slice(start, end);
    const report = shadow.judge(statement, state, detailed) ?? (await shadow.judgeAnew(statement, state, detailed));
    if (report.outcome === 'prepared') state = shadow.after(statement, state);
    checked.push({ start, report });
  }
  return checked;
}
