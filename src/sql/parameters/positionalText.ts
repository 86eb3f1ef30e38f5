import { placeholders } from './placeholders.ts';

/** A statement as the service accepts it. */
interface PositionalText {
  readonly text: string;
  /** Turns an offset in `text` into one in the user's statement. */
  offsetOf(offset: number): number;
}

/** Replaces each `:name`, `@name`, `$name` and `?1` by `?`. The statement then takes one value for each placeholder, in order. */
export function positionalText(sql: string): PositionalText {
  const named = placeholders(sql).filter(({ positional }) => !positional);
  let text = '';
  let copiedEnd = 0;
  for (const { start, end } of named) {
    text += `${sql.slice(copiedEnd, start)}?`;
    copiedEnd = end;
  }
  text += sql.slice(copiedEnd);
  return {
    text,
    offsetOf: offset => {
      let shift = 0;
      for (const { start, end } of named) {
        if (offset + shift <= start) break;
        shift += end - start - 1;
      }
      return offset + shift;
    },
  };
}
