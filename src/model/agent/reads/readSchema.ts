import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../base/clock.ts';
import { misuse } from '../../../base/errors.ts';
import { MaskedSchema } from '../../../sql/masks/maskedSchema.ts';
import { type MaskPattern, maskPatternOf } from '../../../sql/masks/maskPattern.ts';
import { commonTablesOfView } from '../../../sql/reads/readingStatement.ts';
import type { SchemaObject } from '../../../sql/shadow/schemaObject.ts';
import { ShadowSchema } from '../../../sql/shadow/shadowSchema.ts';
import { keyOf } from '../../../sql/text/names.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';

interface ReadSchemaOptions {
  readonly wasmBinary: Uint8Array;
  /** The statements that create everything in the project, as the catalog reads them. */
  readonly statements: readonly string[];
  /** Columns that must not be shown, such as `customers.email` or `*.password*`. */
  readonly masked?: readonly string[];
  readonly clock?: Clock;
}

/** The schema of a project as an empty database, on which statements are judged and never executed. */
export class ReadSchema {
  readonly shadow: ShadowSchema;
  readonly masks: MaskedSchema;

  private constructor(shadow: ShadowSchema, masks: MaskedSchema) {
    this.shadow = shadow;
    this.masks = masks;
  }

  /** Throws if a text of `masked` names no columns. Nothing must be read without that mask. */
  static async open({ wasmBinary, statements, masked = [], clock }: ReadSchemaOptions): Promise<ReadSchema> {
    const patterns = masked.map(patternOf);
    const shadow = await ShadowSchema.open({ wasmBinary, ddl: statements, ...(clock && { clock }) });
    const masks = await MaskedSchema.open({
      statements,
      patterns,
      describeView: async name => {
        // There may be thousands of views.
        await nextTurn();
        const { outcome, columns } = await shadow.check(`SELECT * FROM main.${quoteIdentifier(name)}`);
        return outcome === 'prepared' ? columns : undefined;
      },
    });
    return new ReadSchema(shadow, masks);
  }

  table(name: string): SchemaObject | undefined {
    return this.shadow.state
      .named(keyOf(name))
      .find(({ kind }) => kind === 'table' || kind === 'view' || kind === 'virtual');
  }

  commonTablesOfViews(names: ReadonlySet<string>): ReadonlySet<string> {
    const common = new Set<string>();
    for (const name of names) {
      const object = this.table(name);
      if (object?.kind === 'view') for (const table of commonTablesOfView(object.sql)) common.add(table);
    }
    return common;
  }
}

function patternOf(text: string): MaskPattern {
  const pattern = maskPatternOf(text);
  if (pattern) return pattern;
  throw misuse(
    'invalid_mask',
    `"${text}" names no columns to mask. Write a table and a column, such as customers.email.`,
  );
}
