import type { TestService } from './testService.ts';
import { waitUntil } from './workbench/waitUntil.ts';

/** A second client, which reads and writes the rows that a window has pending edits of. */
export class OtherClient {
  readonly #service: TestService;
  readonly #rowsSql: string;

  constructor(service: TestService, rowsSql = 'SELECT * FROM pets ORDER BY id') {
    this.#service = service;
    this.#rowsSql = rowsSql;
  }

  async execute(sql: string): Promise<void> {
    await this.#service.query(sql);
  }

  /** The rows of the table, each as one text. */
  async rows(): Promise<string[]> {
    const rows = await this.#service.query(this.#rowsSql);
    return rows.map(row => row.map(value => String(value as string | number | null)).join(' '));
  }

  async waitForRows(...expected: readonly string[]): Promise<void> {
    let rows: string[] = [];
    const areThere = async (): Promise<boolean> => {
      rows = await this.rows();
      return JSON.stringify(rows) === JSON.stringify(expected);
    };
    await waitUntil(areThere, { what: 'the table has other rows' }).catch((thrown: unknown) => {
      throw new Error(`The table has other rows: ${JSON.stringify(rows)}`, { cause: thrown });
    });
  }
}
