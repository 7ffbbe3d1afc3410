import type { Page } from 'playwright-core';
import { findBarriers, findSmallTargets } from './axe.ts';
import { openPage } from './chromium.ts';

const WIDE = { width: 1200, height: 800 };
const NARROW = { width: 320, height: 800 };

/** As a reader may set it who needs more room between letters, words and lines (WCAG 1.4.12). */
const ROOMY = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** What a page did while it was looked at: words in its console, errors of its scripts, dialogs. */
type Complaints = string[];

/**
 * A page that notes what moves in it, and everything that it complains about. It is shown once all of it is read: a browser
 * without a free processor shows rows that are not whole, which `in-pieces.ts` looks at.
 */
export async function openLook(baseURL: string): Promise<{ page: Page; complaints: Complaints }> {
  const page = await openPage({ baseURL, viewport: WIDE });
  const complaints: Complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  await noteMoves(page);
  await page.addInitScript(() => {
    const hidden = new CSSStyleSheet();
    hidden.replaceSync('html { display: none; }');
    document.adoptedStyleSheets = [hidden];
    // Before any script of the page: what those move is seen.
    const show = () => hidden.replaceSync('');
    document.addEventListener('readystatechange', show, { once: true });
  });
  return { page, complaints };
}

/** Has each of its documents note in `moves` when something in it moved, in milliseconds since it was asked for. */
export async function noteMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: number[] = [];
    Object.assign(window, { moves });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) moves.push(startTime);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Everything that is wrong with the page at an address, wide and narrow, light and dark: one line each. */
export async function findFaults(page: Page, path: string): Promise<string[]> {
  const faults: string[] = [];
  // Wide last: each change of a page's size lays all of it out again.
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    await page.goto(path);
    faults.push(...(await findUnrest(page, `${size.width} pixels`)), ...(await findCut(page, `${size.width} pixels`)));
  }
  faults.push(...(await findStrangers(page)), ...(await findBarriers(page)));
  await page.setViewportSize(NARROW);
  faults.push(...(await findSmallTargets(page)));
  return [...faults, ...(await findCramped(page))];
}

/** Whether it moved while it came to be, and whether it fits its window. */
async function findUnrest(page: Page, where: string): Promise<string[]> {
  const { over, moved, styled } = await page.evaluate(() => ({
    over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    moved: (window as unknown as { moves: number[] }).moves.length,
    styled: getComputedStyle(document.body).display === 'flex',
  }));
  return [
    ...(over > 0 ? [`${where}: ${over} too wide`] : []),
    ...(moved > 0 ? [`${where}: it moves`] : []),
    ...(styled ? [] : [`${where}: it has no styles`]),
  ];
}

/** Fields without a label, ids that two elements share, letters below 12 pixels, words cut off in a button or a field's placeholder, and letters of a picture outside the page's column. */
function findCut(page: Page, where: string): Promise<string[]> {
  return page.evaluate((width) => {
    const seen = [...document.body.querySelectorAll<HTMLElement>('*')].filter((element) => element.checkVisibility());
    const isNamed = (field: HTMLInputElement) => field.labels?.length || field.ariaLabel;
    const hasWords = ({ childNodes }: Element) =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const small = seen.filter(
      (element) => hasWords(element) && Number.parseFloat(getComputedStyle(element).fontSize) < 12,
    );
    const cut = seen.filter(
      (element) => element.matches('button, .button') && element.scrollWidth > element.clientWidth,
    );
    const pen = new OffscreenCanvas(1, 1).getContext('2d');
    const long = seen.filter((element) => {
      if (!pen || !(element instanceof HTMLInputElement) || !element.placeholder) return false;
      const { font, paddingLeft, paddingRight } = getComputedStyle(element);
      pen.font = font;
      const room = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return room >= 160 && pen.measureText(element.placeholder).width > room;
    });
    const out = seen.filter((element) => {
      const picture = element.closest('svg');
      const [own, whole] = [element.getBoundingClientRect(), picture?.getBoundingClientRect()];
      return element.matches('svg text') && whole && (own.left < whole.left - 8 || own.right > whole.right + 8);
    });
    const bare = seen.filter(
      (field) => field.matches('input, select, textarea') && !isNamed(field as HTMLInputElement),
    );
    const ids = seen.filter(({ id }) => id && document.querySelectorAll(`#${CSS.escape(id)}`).length > 1);
    const tell = (what: string, found: Element[]) =>
      found.map(({ outerHTML }) => `${width}: ${what}: ${outerHTML.slice(0, 120)}`);
    return [
      ...tell('small', small),
      ...tell('cut', cut),
      ...tell('placeholder', long),
      ...tell('sticks out', out),
      ...tell('no label', bare),
      ...tell('same id', ids),
    ];
  }, where);
}

/** Where links, forms and pictures lead that are neither ours nor on the web, and elements that only a publisher's own markup would make. */
export function findStrangers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const led = [...document.querySelectorAll('[href], [src], [action]')].flatMap((element) =>
      ['href', 'src', 'action'].flatMap((name) => element.getAttribute(name) ?? []),
    );
    const odd = led.filter((address) => !/^(https?|mailto):$/.test(new URL(address, location.href).protocol));
    const made = [...document.querySelectorAll('script:not([src]), img, iframe, object, embed, [onerror], [onload]')];
    return [...odd, ...made.map(({ outerHTML }) => outerHTML)];
  });
}

/** Whether a narrow page still fits with more room between its letters. */
async function findCramped(page: Page): Promise<string[]> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, ROOMY);
  return (await findUnrest(page, 'roomy')).filter((fault) => fault.includes('too wide'));
}
