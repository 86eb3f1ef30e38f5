// `npm run pictures`: takes the pictures of README.md and media/docs anew, from a real window.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleStatements } from '../src/host/local/sampleStatements.ts';
import { launchBrowser } from '../test/support/workbench/browser.ts';
import { startTestEnvironment } from '../test/support/workbench/globalSetup.ts';
import { proposalOf, waitForProposal } from '../test/support/proposals.ts';
import { goToLine, openSampleProject, runFromKeyboard, waitForRunLens } from '../test/support/sampleProject.ts';
import { openWorkbench, type WorkbenchSession } from '../test/support/workbench/session.ts';
import { workbenchServerAt } from '../test/support/workbench/workbenchServer.ts';
import { animatedPng, type Frame } from './animatedPng.ts';
import { root, runTool } from './command.ts';

const viewport = { width: 1160, height: 720 };
const settings = {
  'window.title': 'Shop',
  'window.commandCenter': false,
  'workbench.colorTheme': 'Light 2026',
  'editor.minimap.enabled': false,
};

/** The first picture of README.md is dark. */
const settingsOf = (name: string): object =>
  name === 'explorer' ? { ...settings, 'workbench.colorTheme': 'Dark 2026' } : settings;

/** Each picture is taken in a window of its own, so that the others leave no trace in it. */
const pictures: Readonly<Record<string, (session: WorkbenchSession) => Promise<void>>> = {
  'add-project': async session => {
    await session.runCommand('SQL Projects: Add Project…');
    await session.page.locator('.quick-input-widget input').first().fill('https://sql.example.com');
  },
  explorer: async session => {
    const results = await runStatement(session, 'FROM order_totals');
    await results
      .getByText(/20 rows · \d/)
      .first()
      .waitFor();
  },
  'run-statement': async session => {
    const results = await runStatement(session, 'FROM order_totals');
    await results
      .getByText(/20 rows · \d/)
      .first()
      .waitFor();
  },
  'sort-and-find': async session => {
    const results = await runStatement(session, 'FROM order_lines');
    await results
      .getByText(/100,000 rows · \d/)
      .first()
      .waitFor();
    await session.runCommand('View: Toggle Maximized Panel');
    await results.getByRole('columnheader', { name: /^unit_price/ }).click();
    await results.locator('[aria-sort]').first().waitFor();
    await results.getByRole('grid').focus();
    await session.page.keyboard.press('Control+F');
    await results.getByRole('search').getByRole('textbox').fill('18');
    await results.getByRole('search').getByText(/ of /).waitFor();
  },
  record: async session => {
    const results = await runStatement(session, 'JOIN reviews');
    await session.runCommand('View: Toggle Maximized Panel');
    await results.getByRole('gridcell').nth(3).click();
    await session.page.keyboard.press('Space');
    await results.getByLabel('Record').first().waitFor();
  },
  'browse-table': async session => {
    await session.treeItem('customers').hover();
    await session.treeItem('customers').getByRole('button', { name: 'Browse Table' }).click();
    const table = await session.webviewFrame('customers');
    await table.getByRole('gridcell').first().waitFor();
    await table.getByRole('columnheader', { name: /^name/ }).click();
    await table.getByText('Unsorted').waitFor({ state: 'hidden' });
  },
};

/** Takes the frames of an animation. */
class Film {
  readonly frames: Frame[] = [];
  readonly #session: WorkbenchSession;

  constructor(session: WorkbenchSession) {
    this.#session = session;
  }

  /** Takes a frame that is shown for some time. */
  async take(delayMs: number): Promise<void> {
    this.frames.push({ png: await this.#session.page.screenshot({ caret: 'initial' }), delayMs });
  }

  /** Types a text, with a frame after each key. */
  async type(text: string): Promise<void> {
    for (const key of text) {
      await this.#session.page.keyboard.type(key);
      await this.take(130);
    }
  }
}

const animationFile = 'customers.sql';
const animationText = 'SELECT \nFROM customers AS c\nORDER BY c.id;\n';
const animationViewport = { width: 760, height: 420 };

/** Each shows one thing in a small window. */
const animations: Readonly<Record<string, (session: WorkbenchSession, film: Film) => Promise<void>>> = {
  completion: async (session, film) => {
    const { page } = session;
    const proposal = proposalOf(session, /^name/);
    const fault = page.locator('.squiggly-error');
    await session.openFile(animationFile);
    await session.runCommand('View: Close Primary Side Bar');
    await waitForRunLens(session);
    await session.waitForEditorFocus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await film.take(800);
    await film.type('c.');
    await waitForProposal(session, proposal);
    await film.take(1400);
    await film.type('na');
    await page.keyboard.press('Enter');
    await film.take(500);
    await film.type(', c.emial');
    await page.keyboard.press('Escape');
    await fault.first().waitFor();
    await film.take(1600);
    await page.keyboard.press('Control+.');
    await page.getByText(/email/).last().waitFor();
    await film.take(1600);
    await page.keyboard.press('Enter');
    await fault.waitFor({ state: 'detached' });
    await film.take(2500);
  },
};

/** Runs the statement of the sample that has this text. */
async function runStatement(session: WorkbenchSession, text: string): ReturnType<typeof runFromKeyboard> {
  await session.openFile('shop.sql');
  await goToLine(session, sampleStatements.slice(0, sampleStatements.indexOf(text)).split('\n').length);
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell').first().waitFor();
  return results;
}

/** The last click may leave the mouse on something that shows a hover. */
async function moveMouseAway({ page }: WorkbenchSession): Promise<void> {
  await page.mouse.move(0, 0);
  await page.locator('.workbench-hover-container').waitFor({ state: 'hidden' });
}

if (!runTool('build')) process.exit(1);
await using stack = new AsyncDisposableStack();
const environment = await startTestEnvironment();
stack.defer(() => environment.stop());
const browser = await launchBrowser();
stack.defer(() => browser.close());
const names = process.argv.slice(2);
const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);

/** Shows something in a new window on the sample project. */
async function inWindow(
  windowSettings: object,
  size: typeof viewport,
  show: (session: WorkbenchSession) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  await writeFile(join(folder, 'shop.sql'), sampleStatements);
  await writeFile(join(folder, animationFile), animationText);
  await mkdir(join(folder, '.vscode'));
  await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(windowSettings));
  const session = await openWorkbench(browser, workbenchServerAt(environment.address), { folder, viewport: size });
  try {
    await show(session);
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const [name, show] of Object.entries(pictures).filter(([picture]) => isWanted(picture))) {
  await inWindow(settingsOf(name), viewport, async session => {
    await openSampleProject(session);
    await show(session);
    await moveMouseAway(session);
    const file = name === 'explorer' ? 'media/explorer.png' : `media/docs/${name}.png`;
    await session.page.screenshot({ path: join(root, file) });
    console.log(file);
  });
}
for (const [name, show] of Object.entries(animations).filter(([animation]) => isWanted(animation))) {
  await inWindow(settings, animationViewport, async session => {
    const film = new Film(session);
    await show(session, film);
    const file = `media/docs/${name}.png`;
    await writeFile(join(root, file), animatedPng(film.frames));
    console.log(file);
  });
}
