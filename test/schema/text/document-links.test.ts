import { describe, expect, it } from 'vitest';
import { type LinkKind, makeOfficialTest, readLink } from '../../../schema/text/document-links.ts';

const GUID = '2a1e3359-87a0-4fdd-ac61-20d5e6520a13';

describe('what a published address is', () => {
  it.each<[string, LinkKind]>([
    [`https://www.contractsfinder.service.gov.uk/Notice/Attachment/${GUID}`, 'file'],
    ['https://files.example.org/packs/Schedule%202.PDF?version=3', 'file'],
    ['https://portal.example.org/esop/DownloadProxy/354?folder=1', 'file'],
    ['https://portal.example.org/NoticeDownload/DownloadDocument.aspx?id=APR500001&idx=1', 'file'],
    ['https://portal.example.org/notices/DocumentDownload.aspx?id=FEB500001&idx=2', 'file'],
    ['https://portal.example.org/tenders/filedownload/?id=12', 'file'],
    ['https://portal.example.org/Authority/NoticeBuilder/NoticeBuilder_FileDownload.aspx?id=500001', 'file'],
    ['https://portal.example.org/ESPD/ESPD_Download.aspx?id=500001', 'file'],
    ['https://portal.example.org/downloads.aspx?year=2026', 'page'],
    ['https://portal.example.org/advert?id=46af39d2', 'page'],
    ['https://portal.example.org/app/rfq/entrance.asp?PID=89650', 'page'],
    ['https://portal.example.org/?noticeId=919868359', 'page'],
    ['https://portal.example.org/#/tenders/12', 'page'],
    ['https://www.example.gov.uk/services/procurement-and-tendering', 'page'],
  ])('%s: %s', (address, kind) => {
    expect(readLink(address)).toEqual({ kind });
  });

  it("is a notice's where it is a page that its service has", () => {
    const isOfficial = makeOfficialTest([
      { base: 'https://notices.example/View?ID=', number: String.raw`^EX-\d{4}$`, prefix: 'EX-' },
      { base: 'https://notices.example/record/', number: String.raw`^ocds-abcdef-\d+$`, prefix: '' },
    ]);
    for (const address of [
      'https://notices.example/View?ID=1234',
      'http://Notices.example/view?id=1234&lang=cy#lots',
      'https://notices.example/record/ocds-abcdef-7/',
      ' https://notices.example/record/ocds-abcdef-7?origin=search',
    ])
      expect(isOfficial(address), address).toBe(true);
    for (const address of [
      'https://notices.example/View?ID=12345',
      'https://notices.example/record/ocds-abcdef-7/attachment/2',
      'https://other.example/View?ID=1234',
    ])
      expect(isOfficial(address), address).toBe(false);
  });

  it.each<[string, LinkKind]>([
    ['https://portal.example.org', 'landing_page'],
    ['https://portal.example.org//', 'landing_page'],
    ['https://portal.example.org/web/index.html', 'landing_page'],
    ['https://portal.example.org/Default.aspx', 'landing_page'],
    ['https://portal.example.org/web/login.html', 'login_page'],
    ['https://portal.example.org/council/web/login.html?_ncp=1726217150488', 'login_page'],
    ['https://portal.example.org/Account/LogOn?ReturnUrl=%2Fadvert%2F1', 'login_page'],
    ['https://portal.example.org/sign-in', 'login_page'],
    ['mailto:', 'mail'],
    ['http://localhost:8080/tender/1', 'private'],
    ['https://10.1.2.3/tender.pdf', 'private'],
    ['https://sharepoint.council.local/tender.pdf', 'private'],
    ['http://N/A', 'broken'],
    ['http://n.a', 'broken'],
    ['http://Contract Finder', 'broken'],
    ['https://tbc', 'broken'],
    ['http:/portal.example.org/x', 'broken'],
    ['htttps://portal.example.org/x', 'broken'],
    ['https;//portal.example.org/x', 'broken'],
    ['www.example.org/tender', 'broken'],
    ['file:///C:/Users/clerk/tender.docx', 'broken'],
    ['javascript:alert(1)', 'broken'],
    ['https://', 'broken'],
    ['see attached', 'broken'],
    ['', 'broken'],
  ])('%s is junk: %s', (address, kind) => {
    expect(readLink(address)).toEqual({ kind, junk: expect.stringMatching(/[a-z]/) });
  });
});
