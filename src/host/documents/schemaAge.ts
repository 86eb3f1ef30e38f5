import { env, l10n } from 'vscode';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How old the schema is that completion and diagnostics use, in a sentence. Undefined stands for an unknown schema. */
export function schemaAge(fetchedAt: number | undefined, now: number): string {
  if (fetchedAt === undefined) return l10n.t('No schema yet: only syntax is checked.');
  const ageMs = Math.max(0, now - fetchedAt);
  if (ageMs < minuteMs) return l10n.t('The schema is less than a minute old.');
  const [unitMs, unit] =
    ageMs < hourMs
      ? ([minuteMs, 'minute'] as const)
      : ageMs < dayMs
        ? ([hourMs, 'hour'] as const)
        : ([dayMs, 'day'] as const);
  const ago = new Intl.RelativeTimeFormat(env.language).format(-Math.floor(ageMs / unitMs), unit);
  return l10n.t('The schema was read {0}.', ago);
}
