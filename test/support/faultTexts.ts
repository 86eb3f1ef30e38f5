import { Diagnosis } from '../../src/sql/diagnosis/diagnosis.ts';
import type { Fault } from '../../src/sql/diagnosis/fault.ts';
import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';

export function diagnosisWith(schema: ShadowSchema | undefined, text: string): Diagnosis {
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(schema);
  return diagnosis;
}

/** Each fault in a line: its offset, the marked text, its code, its message and its hint. */
export const faultTexts = (text: string, faults: readonly Fault[] | undefined): string[] =>
  (faults ?? []).map(({ start, end, code, message, hint }) =>
    [`${start} ${text.slice(start, end)}`, code, message, hint].filter(part => part !== undefined).join(' | '),
  );

export const faultsOf = async (diagnosis: Diagnosis): Promise<string[]> =>
  faultTexts(diagnosis.index.text, await diagnosis.faults());
