import { oneLine } from './oneLine.ts';

/** A log. Its callers write no keys, SQL or parameters. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** One line without control characters and characters that change the direction, because terminals show logs. */
export const logText = (text: string, maxLength?: number): string =>
  oneLine(text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '), maxLength);

/** A name in a field of a log line. Its own quotes are escaped, so that none ends it. */
export const quotedLogText = (text: string, maxLength: number): string =>
  `"${logText(text, maxLength).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A log line of the fields that are not empty. A separator in a field is replaced, so that no text can begin another field. */
export const logFields = (fields: readonly string[]): string =>
  fields
    .filter(field => field !== '')
    .map(field => logText(field).replaceAll('·', String.raw`\u00b7`))
    .join(' · ');
