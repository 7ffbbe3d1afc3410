import type { ComponentChildren } from 'preact';
import { splitParagraphs } from '../components/format.ts';

/** Characters that are visible at first; a shorter remainder than the second is not hidden. */
const SHOWN_MAX = 700;
const REST_MIN = 200;
/** Longer texts are cut: the official notice has the rest. */
const WHOLE_MAX = 20_000;

interface LongTextProps {
  title: string;
  text: string | undefined;
  /** What is read before the text. */
  children?: ComponentChildren;
}

/** A published text under its title. */
export function LongText({ title, text, children }: LongTextProps) {
  if (!text?.trim() && !children) return null;
  return (
    <section class="published-text">
      <h2>{title}</h2>
      {children}
      <Unfolding text={text ?? ''} />
    </section>
  );
}

/** The beginning of a published text, and the rest in an expandable part. */
export function Unfolding({ text }: { text: string }) {
  const { shown, rest, isCut } = cutText(text);
  return (
    <>
      <Paragraphs texts={shown} />
      {rest.length > 0 && (
        <details>
          <summary>The rest of the text</summary>
          <Paragraphs texts={rest} />
          {isCut && <p class="muted">The text is cut off here: the official notice, linked below, has all of it.</p>}
        </details>
      )}
    </>
  );
}

/** Texts as paragraphs that keep their line breaks. */
function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text, at) => <p key={at}>{text}</p>);
}

/** The visible and the hidden paragraphs. One that belongs to both is cut after a sentence, or at a word. */
function cutText(whole: string): { shown: string[]; rest: string[]; isCut: boolean } {
  const text = whole.slice(0, WHOLE_MAX);
  const shown: string[] = [];
  const rest: string[] = [];
  let room = SHOWN_MAX;
  if (text.length <= SHOWN_MAX + REST_MIN) room = text.length;
  for (const paragraph of splitParagraphs(text)) {
    const at = rest.length > 0 ? 0 : findCut(paragraph, room, shown.length > 0);
    if (at > 0) shown.push(paragraph.slice(0, at).trim());
    if (at < paragraph.length) rest.push(paragraph.slice(at).trim());
    room -= paragraph.length;
  }
  return { shown, rest, isCut: whole.length > text.length };
}

/** @param mayWait - something is visible already, so the whole paragraph can be hidden */
function findCut(paragraph: string, room: number, mayWait: boolean): number {
  if (paragraph.length <= room) return paragraph.length;
  if (room <= (mayWait ? SHOWN_MAX / 2 : 0)) return 0;
  const start = paragraph.slice(0, room);
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'), start.lastIndexOf('\n')) + 1;
  if (sentence > room / 2) return sentence;
  const word = start.lastIndexOf(' ');
  return word > 0 ? word : room;
}
