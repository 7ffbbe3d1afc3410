import type { z } from 'zod';
import type { DocumentDetail } from '../../../schema/catalogue/details.ts';
import { readLink } from '../../../schema/text/document-links.ts';
import { sayPlainly } from './code-words.ts';
import { held } from './omit-empty.ts';
import type { document } from './shapes.ts';

/** A document as it is served: its type in words, and what its address leads to. */
export function toDocument(detail: DocumentDetail): z.input<typeof document> {
  const { kind, junk } = readLink(detail.url);
  return {
    ...detail,
    ...(detail.type && { type_label: sayPlainly(detail.type) }),
    link_kind: kind,
    ...held({ junk: junk ? true : null, junk_reason: junk }),
  };
}
