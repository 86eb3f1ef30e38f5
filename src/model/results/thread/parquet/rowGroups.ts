/** A chunk of its own, which is loaded with the first Parquet file: it has the code of hyparquet-writer. */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';

export interface ParquetColumn {
  readonly name: string;
  readonly type: 'INT64' | 'DOUBLE' | 'STRING';
}

/** The values of a column in one row group. */
export interface ColumnPart {
  /** 1 for each row with a value, and 0 for NULL. */
  readonly levels: Uint8Array;
  readonly nullCount: number;
  /** The values without NULL, in the encoding PLAIN. */
  readonly values: Uint8Array;
}

type Chunk = ParquetWriter['row_groups'][number]['columns'][number];

/**
 * Makes the bytes of a Parquet file. The encoding of hyparquet-writer keeps each value as an object, and takes -0 for 0 in a
 * dictionary. So pages are put together here.
 */
export class RowGroups {
  readonly #columns: readonly ParquetColumn[];
  readonly #writer = new ByteWriter();
  readonly #file: ParquetWriter;

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns;
    const schema = schemaFromColumnData({ columnData: columns.map(column => ({ ...column, data: [] })) });
    this.#file = new ParquetWriter({ writer: this.#writer, schema, createdBy: 'SQL Project Explorer' });
  }

  /** The bytes of a row group. `parts` has a part for each column. */
  add(parts: readonly ColumnPart[], rowCount: number): Uint8Array<ArrayBuffer> {
    const columns = parts.map((part, at) => this.#addChunk(this.#columns[at]!, part));
    this.#file.row_groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data: data }) => sum + data!.total_uncompressed_size, 0n),
      num_rows: BigInt(rowCount),
    });
    this.#file.num_rows += BigInt(rowCount);
    return this.#take();
  }

  /** The bytes after the last row group. */
  async end(): Promise<Uint8Array<ArrayBuffer>> {
    await this.#file.finish();
    return this.#take();
  }

  #addChunk({ name, type }: ParquetColumn, { levels, nullCount, values }: ColumnPart): Chunk {
    const writer = this.#writer;
    const start = writer.offset;
    const levelWriter = new ByteWriter();
    const levelsSize = writeRleBitPackedHybrid(levelWriter, levels, 1);
    const compressed = snappyCompress(values);
    writePageHeader(writer, {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levelsSize + values.length,
      compressed_page_size: levelsSize + compressed.length,
      data_page_header_v2: {
        num_values: levels.length,
        num_nulls: nullCount,
        num_rows: levels.length,
        encoding: 'PLAIN',
        definition_levels_byte_length: levelsSize,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    });
    const headerSize = writer.offset - start;
    writer.appendBytes(levelWriter.getBytes());
    writer.appendBytes(compressed);
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: type === 'STRING' ? 'BYTE_ARRAY' : type,
        encodings: ['PLAIN', 'RLE'],
        path_in_schema: [name],
        codec: 'SNAPPY',
        num_values: BigInt(levels.length),
        total_uncompressed_size: BigInt(headerSize + levelsSize + values.length),
        total_compressed_size: BigInt(writer.offset - start),
        data_page_offset: BigInt(start),
        statistics: { null_count: BigInt(nullCount) },
      },
    };
  }

  #take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#writer.getBytes());
    this.#writer.index = 0;
    return bytes;
  }
}
