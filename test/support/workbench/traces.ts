import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkbenchSession } from './session.ts';

/**
 * Makes every new page and webview record the messages that it reads. A listener is not enough: VS Code rewrites its
 * webviews after they have started, which removes all listeners.
 */
export async function rememberMessages({ page }: WorkbenchSession): Promise<void> {
  await page.context().addInitScript(() => {
    const messages = new Set<string>();
    Object.assign(window, { rememberedMessages: messages });
    const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
    Object.defineProperty(MessageEvent.prototype, 'data', {
      get(this: MessageEvent): unknown {
        const value: unknown = data?.get?.call(this);
        try {
          messages.add(JSON.stringify(value));
        } catch {
          // VS Code's own messages, such as ports, are not JSON.
        }
        return value;
      },
    });
  });
}

export interface Traces {
  /** Text of pages and webviews, with the content of their fields. */
  readonly documents: string;
  readonly messages: string;
  /** The browser's storages, where VS Code for the web keeps its state. */
  readonly storages: string;
  readonly console: string;
  /** All files of the workbench and of the open folder. */
  readonly files: string;
}

/** Collects all traces of a window, each kind as one text to search. */
export async function tracesOf(session: WorkbenchSession): Promise<Traces> {
  const frames = session.page.frames();
  const documents = frames.map(frame => frame.evaluate(documentText));
  const messages = frames.map(frame =>
    frame.evaluate(() =>
      [...((window as unknown as { rememberedMessages?: Set<string> }).rememberedMessages ?? [])].join('\n'),
    ),
  );
  return {
    documents: (await Promise.all(documents)).join('\n'),
    messages: (await Promise.all(messages)).join('\n'),
    storages: await session.page.evaluate(storageText),
    console: session.consoleLines.join('\n'),
    files: (await textsBelow(dirname(session.server.userDataDir))) + (await textsBelow(session.folder)),
  };
}

function documentText(): string {
  const fields = [...document.querySelectorAll('input')].map(({ value }) => value);
  return [document.documentElement.outerHTML, ...fields].join('\n');
}

/** Runs in the page. */
async function storageText(): Promise<string> {
  const found = [localStorage, sessionStorage].flatMap(storage =>
    Array.from({ length: storage.length }, (_, i) => `${storage.key(i)} ${storage.getItem(storage.key(i) ?? '')}`),
  );
  const decoder = new TextDecoder();
  for (const { name } of await indexedDB.databases()) {
    const opening = indexedDB.open(name ?? '');
    await new Promise(resolve => opening.addEventListener('success', resolve));
    for (const store of opening.result.objectStoreNames) {
      const reading = opening.result.transaction(store).objectStore(store).getAll();
      await new Promise(resolve => reading.addEventListener('success', resolve));
      const read = (_key: string, value: unknown) => (value instanceof Uint8Array ? decoder.decode(value) : value);
      found.push(JSON.stringify(reading.result, read));
    }
    opening.result.close();
  }
  return found.join('\n');
}

async function textsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  // A file may disappear while others are read.
  const texts = files.map(file => readFile(file, 'latin1').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}
