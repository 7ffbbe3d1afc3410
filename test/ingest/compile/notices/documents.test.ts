import { expect, it } from 'vitest';
import { toDocument } from '../../../../api/operations/shared/rows.ts';
import { listServices, procurementUrl } from '../../../../ingest/sources/index.ts';
import { listOfficialPages, makeOfficialTest } from '../../../../schema/text/document-links.ts';
import { actRelease, compileOne, noticeDocument } from '../releases.ts';

const [TENDER, CHANGE] = ['000101-2026', '000202-2026'];
const page = (id: string) => `https://www.find-tender.service.gov.uk/Notice/${id}`;
const isOfficial = makeOfficialTest(listServices().flatMap(({ notices }) => listOfficialPages(notices)));
const documents = [
  { ...noticeDocument(TENDER, 'UK4', 'tenderNotice') },
  {
    id: 'A-1',
    documentType: 'technicalSpecifications',
    title: 'Schedule &amp; rates',
    url: 'https://files.example.org/schedule.pdf',
    datePublished: '2026-02-27T09:00:00Z',
    language: 'cy',
  },
  { id: 'A-2', documentType: 'biddingDocuments', title: 'Pack 1', url: 'http://N/A' },
  { id: 'A-3', documentType: 'biddingDocuments', title: 'Pack 2', url: 'http://N/A' },
  { id: 'A-4', title: 'Questions', url: 'mailto:jo.bloggs@example.org' },
  { id: 'A-5', documentType: 'clarifications', url: 'https://portal.example.org/web/login.html' },
];

it('the documents of every notice of a process, each official page among them, junk marked with its reason', () => {
  const process = compileOne([
    actRelease(TENDER, '2026-03-01T09:00:00Z', { tender: { documents } }),
    actRelease(CHANGE, '2026-03-09T09:00:00Z', {
      tag: ['tenderUpdate'],
      tender: { documents: [noticeDocument(CHANGE, 'UK4', 'tenderNotice'), documents[1]] },
    }),
  ]);
  expect(process.documents.map((each) => toDocument(each, isOfficial))).toEqual([
    {
      name: 'Tender notice on Find a Tender',
      url: page(TENDER),
      type: 'notice',
      type_label: 'Notice',
      published: '2026-03-01',
      language: 'en',
      notice_id: TENDER,
      link_kind: 'notice',
    },
    {
      name: 'Schedule & rates',
      url: 'https://files.example.org/schedule.pdf',
      type: 'technicalSpecifications',
      type_label: 'Technical specifications',
      published: '2026-02-27',
      language: 'cy',
      notice_id: TENDER,
      link_kind: 'file',
    },
    ...['Pack 1', 'Pack 2'].map((name) => ({
      name,
      url: 'http://N/A',
      type: 'biddingDocuments',
      type_label: 'Bidding documents',
      notice_id: TENDER,
      link_kind: 'broken',
      junk: true,
      junk_reason: 'its host is no name of a site',
    })),
    {
      name: 'Questions',
      url: 'mailto:',
      notice_id: TENDER,
      link_kind: 'mail',
      junk: true,
      junk_reason: 'a mail address, which is not served',
    },
    {
      name: 'clarifications',
      type: 'clarifications',
      type_label: 'Clarifications',
      notice_id: TENDER,
      url: 'https://portal.example.org/web/login.html',
      link_kind: 'login_page',
      junk: true,
      junk_reason: 'a page that asks for a login',
    },
    expect.objectContaining({ url: page(CHANGE), notice_id: CHANGE, link_kind: 'notice', published: '2026-03-09' }),
  ]);
});

it('an address without its scheme gets one, and leads to the same document', () => {
  const urls = ['www.portal.example.org/pack-7', 'https://www.portal.example.org/pack-7', 'notes.example'];
  const listed = urls.map((url, at) => ({ id: String(at), title: 'Pack 7', url }));
  const [, ...found] = compileOne([
    actRelease(TENDER, '2026-03-01T09:00:00Z', { tender: { documents: listed } }),
  ]).documents;
  expect(found.map((each) => toDocument(each, isOfficial))).toMatchObject([
    { url: 'https://www.portal.example.org/pack-7', link_kind: 'page' },
    { url: 'notes.example', link_kind: 'broken' },
  ]);
});

it.each([
  ['draft-1', 'ocds-h6vhtk-00a1b2', 'https://www.find-tender.service.gov.uk/procurement/ocds-h6vhtk-00a1b2'],
  [TENDER, 'ocds-h6vhtk-00a1b2', page(TENDER)],
])('a notice whose number %s leads to no page has the record of its procurement', (id, ocid, url) => {
  const process = compileOne([actRelease(id, '2026-03-01T09:00:00Z', { ocid, tender: { documents: [documents[1]] } })]);
  expect(process.documents.map((document) => document.url)).toEqual([url, 'https://files.example.org/schedule.pdf']);
});

it.each([
  ['ocds-b5fd17-11111111-2222-4333-8444-555555555555', true],
  ['ocds-b5fd17raw-11111111-2222-4333-8444-555555555555', false],
])('Contracts Finder has a record of %s: %s', (ocid, has) => {
  const url = `https://www.contractsfinder.service.gov.uk/Published/OCDS/Record/${ocid}`;
  expect(procurementUrl('contracts_finder', ocid)).toBe(has ? url : null);
});

it('an address whose ampersands are written as in HTML is the address itself, and listed once', () => {
  const written = ['&', '&amp;', '&amp;amp;'].map((and) => `https://portal.example.org/rfq?PID=7${and}B=UK`);
  const listed = { documents: written.map((url, id) => ({ id, title: 'Pack', url })) };
  const process = compileOne([actRelease(TENDER, '2026-03-01T09:00:00Z', { tender: listed })]);
  expect(process.documents.map(({ url }) => url)).toEqual([page(TENDER), written[0]]);
});

it('the reports on how a contract was performed, and on each failure, are documents of the notice', () => {
  const file = (name: string) => ({ id: name, title: name, url: `https://files.example.org/${name}.pdf` });
  const implementation = {
    documents: [file('audit')],
    performanceFailures: [{ id: '1', documents: [file('failure')] }, { id: '2' }],
  };
  const contracts = [
    {
      id: '1',
      awardID: '1',
      implementation,
      documents: [noticeDocument(CHANGE, 'UK9', 'implementationNotice'), file('text')],
    },
  ];
  const { notices } = compileOne([actRelease(CHANGE, '2026-06-25T09:00:00Z', { tag: ['implementation'], contracts })]);
  const [notice] = notices;
  expect(notice?.noticeType).toBe('UK9');
  expect(notice?.detail.documents.map(({ name }) => name)).toEqual([
    'Contract performance notice on Find a Tender',
    'text',
    'audit',
    'failure',
  ]);
});

it('a document whose title stands for none has the name that describes it, or that of its kind', () => {
  const named = (document: object) =>
    compileOne([
      actRelease(TENDER, '2026-03-01T09:00:00Z', {
        tender: { documents: [{ id: 'A-1', url: 'https://files.example.org/1', ...document }] },
      }),
    ]).documents.at(-1)?.name;
  expect(named({ description: 'n/a' })).toBe('Document');
  expect(named({ title: 'N/A', description: 'Schedule of rates' })).toBe('Schedule of rates');
  expect(named({ title: 'TBC', documentType: 'technicalSpecifications' })).toBe('technical specifications');
  expect(named({ title: 'N/A form' })).toBe('N/A form');
});
