import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { noticeTypesPage, PORTAL_FORMS } from '../../../../api/web/docs/notice-types.tsx';
import { listServices } from '../../../../ingest/sources/index.ts';
import { NOTICE_TYPES } from '../../../../schema/reference/notice-types.ts';

it('the page of notice types has every type with its stage, and every form of a portal, once', () => {
  const html = renderToString(noticeTypesPage().body);
  for (const type of NOTICE_TYPES) expect(html).toMatch(new RegExp(`id="${type}".*?<td>[a-z]+</td></tr>`));
  const asked = listServices().flatMap((source) => ('types' in source ? source.types.map(({ type }) => type) : []));
  const listed = PORTAL_FORMS.flatMap(({ numbers }) => numbers);
  expect(new Set(asked).size).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual([...new Set(asked)].toSorted());
});
