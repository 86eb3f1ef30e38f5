import { messageOf } from '../../../../base/errors.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import { type Channel, type Frame, frameKinds, valueOf } from '../channel.ts';
import { type Holder, nobody } from '../holder.ts';
import { type ProjectReply, type ProjectRequest, rowWindow } from '../messages.ts';
import type { Begun, Project } from './project.ts';
import type { BatchSource } from './rowBatches.ts';
import type { Written } from './writeQueue.ts';

interface Stream {
  readonly call: number;
  readonly source: BatchSource;
  /** How many bytes may still be sent before the reader takes some. */
  credit: number;
  /** How long it has had the thread, and how much of that was told, in milliseconds. */
  ran: number;
  told: number;
}

/** How much longer a stream has the thread before that is told again, in milliseconds. */
const worthTelling = 50;

/**
 * Takes calls from the service and answers them. SQLite has the thread while it works, so work is done in turns: one group
 * of writes, one batch of one reader's rows, and then whatever has arrived meanwhile.
 */
export class CallServer {
  readonly #project: Project;
  readonly #holder: Holder;
  readonly #channel: Channel;
  readonly #streams = new Map<number, Stream>();
  /** Streams that may send, in turn. */
  #ready: Stream[] = [];
  /** What came while acknowledgements were on their way. */
  readonly #held: Frame[] = [];
  #owing = false;
  #turnComes = false;
  #ending = false;

  constructor(project: Project, holder: Holder, connect: (receive: (frame: Frame) => void) => Channel) {
    this.#project = project;
    this.#holder = holder;
    this.#channel = connect(frame => this.#receive(frame));
  }

  #receive(frame: Frame): void {
    if (this.#owing) {
      this.#held.push(frame);
      return;
    }
    const { kind, call, body } = frame;
    switch (kind) {
      case frameKinds.call:
        this.#begin(call, valueOf(body) as ProjectRequest);
        break;
      case frameKinds.credit:
        this.#allow(call, Buffer.from(body).readUInt32LE(0));
        break;
      case frameKinds.cancel:
        this.#cancel(call);
        break;
      case frameKinds.end:
        this.#ending = true;
        break;
    }
    this.#schedule();
  }

  #begin(call: number, request: ProjectRequest): void {
    this.#hold(call, () => {
      const begun = this.#project.begin(call, request);
      if (begun instanceof Promise) {
        begun.then(
          done => this.#begun(call, done),
          (thrown: unknown) => this.#refuse(call, thrown),
        );
      } else this.#begun(call, begun);
    });
  }

  #begun(call: number, begun: Begun): void {
    if (begun.kind === 'value') this.#reply(call, begun);
    if (begun.kind === 'rows') this.#stream(call, begun.source);
    if (begun.kind === 'given') this.#tell({ call, result: begun.outcome });
  }

  #stream(call: number, source: BatchSource): void {
    const stream = { call, source, credit: rowWindow, ran: 0, told: 0 };
    this.#streams.set(call, stream);
    // Most answers are short, and end here.
    this.#step(stream);
    if (this.#streams.has(call)) this.#step(stream);
    if (this.#streams.has(call) && stream.credit > 0) this.#ready.push(stream);
  }

  /** Sends one batch, or the end. */
  #step(stream: Stream): void {
    const { call, source } = stream;
    const began = performance.now();
    this.#hold(call, () => {
      const batch = source.next();
      if (!batch) return this.#endStream(stream);
      this.#channel.send(frameKinds.rows, call, batch);
      stream.credit -= batch.length;
    });
    stream.ran += performance.now() - began;
    if (this.#streams.has(call) && stream.ran - stream.told >= worthTelling) this.#tellTime(stream);
  }

  #tellTime(stream: Stream): void {
    stream.told = stream.ran;
    const body = Buffer.alloc(4);
    body.writeUInt32LE(Math.round(stream.ran), 0);
    this.#channel.send(frameKinds.ran, stream.call, body);
  }

  #allow(call: number, bytes: number): void {
    const stream = this.#streams.get(call);
    if (!stream) return;
    if (stream.credit <= 0 && stream.credit + bytes > 0) this.#ready.push(stream);
    stream.credit += bytes;
  }

  #cancel(call: number): void {
    const stream = this.#streams.get(call);
    if (stream) this.#endStream(stream);
    else if (this.#project.writes?.remove(call)) this.#reply(call, { kind: 'value', value: undefined });
  }

  #endStream({ call, source }: Stream): void {
    this.#streams.delete(call);
    source.close();
    this.#reply(call, { kind: 'rows', columns: source.columns() });
  }

  #schedule(): void {
    if (this.#turnComes || this.#owing) return;
    if (!this.#ending && this.#ready.length === 0 && (this.#project.writes?.isEmpty ?? true)) return;
    this.#turnComes = true;
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#turnComes = false;
    const { writes } = this.#project;
    if (writes && !writes.isEmpty) {
      const group = writes.run();
      this.#channel.together(() => {
        for (const written of group) this.#tell(written);
      });
      if (this.#channel.unsent > 0) {
        void this.#acknowledge();
        return;
      }
    }
    const stream = this.#ready.shift();
    if (stream && this.#streams.get(stream.call) === stream && stream.credit > 0) {
      this.#step(stream);
      if (this.#streams.has(stream.call) && stream.credit > 0) this.#ready.push(stream);
    }
    if (this.#ending && (writes?.isEmpty ?? true)) this.#end();
    else this.#schedule();
  }

  /** Does nothing more until all that was told has left: the next statement may be the one that this process is ended for. */
  async #acknowledge(): Promise<void> {
    this.#owing = true;
    await this.#channel.flush();
    this.#owing = false;
    for (const frame of this.#held.splice(0)) this.#receive(frame);
    this.#schedule();
  }

  #tell({ call, result }: Written): void {
    if (result.kind === 'fault') return this.#refuse(call, result.thrown);
    if (result.kind === 'count') return this.#reply(call, result);
    this.#channel.send(frameKinds.written, call);
    if (result.replayed) this.#channel.send(frameKinds.replayed, call);
    this.#stream(call, new HeldRows(result.batches, result.columns));
  }

  #end(): void {
    for (const { source } of this.#streams.values()) source.close();
    this.#streams.clear();
    this.#project.close();
    this.#channel.send(frameKinds.ended, nobody);
  }

  /** Runs something for a call, which has the thread meanwhile. What it throws is the call's answer. */
  #hold(call: number, run: () => void): void {
    this.#holder.pass(call);
    try {
      run();
    } catch (thrown) {
      this.#streams.get(call)?.source.close();
      this.#streams.delete(call);
      this.#refuse(call, thrown);
    } finally {
      this.#holder.pass(nobody);
    }
  }

  #refuse(call: number, thrown: unknown): void {
    if (!(thrown instanceof ServiceError)) return this.#reply(call, { kind: 'failed', message: messageOf(thrown) });
    const { status, code, message, details, retryAfter } = thrown;
    this.#reply(call, { kind: 'refused', fault: { status, code, message, details, retryAfter } });
  }

  #reply(call: number, reply: ProjectReply): void {
    this.#channel.sendValue(frameKinds.reply, call, reply);
  }
}

/** The rows of a write, which are all there. */
class HeldRows implements BatchSource {
  readonly #batches: Uint8Array[];
  readonly #columns: readonly Column[];

  constructor(batches: readonly Uint8Array[], columns: readonly Column[]) {
    this.#batches = batches.toReversed();
    this.#columns = columns;
  }

  next(): Uint8Array | undefined {
    return this.#batches.pop();
  }

  columns(): readonly Column[] {
    return this.#columns;
  }

  close(): void {
    this.#batches.length = 0;
  }
}
