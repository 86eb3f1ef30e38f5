import { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { standingClock } from './exhaustingStatement.ts';
import { wasmBinary } from './wasmDatabase.ts';

/** Opens a shadow whose time stands still: on a slow machine it checks the same statements as on a quick one. */
export const openShadow = (ddl: readonly string[]): Promise<ShadowSchema> =>
  ShadowSchema.open({ wasmBinary, ddl, clock: standingClock });
