/** What a notice says, beside what its service always says. */
export interface Copy {
  /** Its text, which may end with the number of its original. */
  x: string;
  links?: { rel: string; href: string }[];
  title?: string;
  value?: number;
  tag?: string;
  /** The text of its lot. */
  lot?: string;
  /** The ocid of a prior process. */
  related?: string;
  /** Whether a second notice says the same. */
  twin?: boolean;
}

/**
 * Notices on Find a Tender and what a portal holds, by one who had not read the rule. Fields: the numbers of which it may be a copy
 * (`-` for none; several where each can be defended), what is tried, the portal's notices by number (`pcs 700012 of 700002` is of
 * the family that 700002 began), what it says.
 */
const LINES = String.raw`
700001 | link and ref agree | pcs 700001 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700001"}],"x":"Text\n(SC Ref:700001)"}
700012 | follow-up named by its ref | pcs 700002; pcs 700012 of 700002 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700002"}],"x":"Text\n(SC Ref:700012)"}
700003 | link to the first, no ref, one notice in family | pcs 700003 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700003"}],"x":"Text"}
700004,700014,- | link, no ref, two tender notices in family | pcs 700004; pcs 700014 of 700004 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700004"}],"x":"Text"}
700005 | 2021: ref alone | pcs 700005 | {"x":"Text\n(SC Ref:700005)"}
700006 | two refs, the last is its own | pcs 700006; pcs 700016 | {"x":"Follows\n(SC Ref:700016)\nText\n(SC Ref:700006)"}
- | two refs, only the first is held | pcs 700007 | {"x":"Follows\n(SC Ref:700007)\nText\n(SC Ref:700099)"}
- | link in prose only | pcs 700008 | {"x":"See https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700008 for more."}
- | a link that is not canonical | pcs 700009 | {"links":[{"rel":"related","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700009"}],"x":"Text"}
- | alternate link | pcs 700010 | {"links":[{"rel":"alternate","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700010"}],"x":"Text"}
-,700011 | search switch in prose | pcs 700011 | {"x":"visit https://www.publiccontractsscotland.gov.uk/Search/Search_Switch.aspx?ID=700011."}
700020,- | link says A, ref says B of another family | pcs 700020; pcs 700021 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700020"}],"x":"Text\n(SC Ref:700021)"}
- | same title, value and buyer, no evidence | pcs 700022 | {"title":"Roof works at Primary School","value":91000,"x":"Text"}
148440 | Welsh ref alone | s2w 148440 | {"x":"Text\n(WA Ref:148440)"}
- | Welsh ref, number held in Scotland only | pcs 700023 | {"x":"Text\n(WA Ref:700023)"}
- | Scottish ref, number held in Wales only | s2w 148441 | {"x":"Text\n(SC Ref:148441)"}
148442 | Welsh link, malformed as the service writes it | s2w 148442 | {"links":[{"rel":"canonical","href":"https://api.sell2wales.gov.wales/v1?lang=cy/Notice?id=ocds-kuma6s-148442"}],"x":"Text\n(WA Ref:148442)"}
148443 | Welsh link, well formed | s2w 148443 | {"links":[{"rel":"canonical","href":"https://api.sell2wales.gov.wales/v1/Notice?id=ocds-kuma6s-148443"}],"x":"Text"}
- | canonical at a stranger | pcs 700024 | {"links":[{"rel":"canonical","href":"https://example.org/v1/Notice?id=ocds-r6ebe6-0000700024"}],"x":"Text"}
- | stranger whose name ends like the host | pcs 700025 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk.example.org/v1/Notice?id=ocds-r6ebe6-0000700025"}],"x":"Text"}
700026 | ref with a blank and capitals | pcs 700026 | {"x":"Text\n(SC REF: 700026)"}
-,700027 | ref without brackets | pcs 700027 | {"x":"Text\nSC Ref:700027"}
- | number with a comma | pcs 700 | {"x":"Text\n(SC Ref:700,028)"}
- | number that begins like another | pcs 70002 | {"x":"Text\n(SC Ref:700029)"}
- | ref of a notice that is not held | pcs 700030 | {"x":"Text\n(SC Ref:700031)"}
- | link to a family that is not held | pcs 700032 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700033"}],"x":"Text"}
- | prose that mentions another notice | pcs 700034 | {"x":"This contract replaces the one advertised earlier (SC Ref:700034), which ended in March."}
- | prose that mentions another, own ref at the end not held | pcs 700035 | {"x":"Replaces the one advertised earlier (SC Ref:700035).\n(SC Ref:700036)"}
- | ref in the text of a lot | pcs 700037 | {"x":"Text","lot":"as lot 2 of (SC Ref:700037)"}
700038 | link with a further parameter | pcs 700038 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700038&outputType=0"}],"x":"Text"}
- | canonical that is a month | pcs 700039 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notices?dateFrom=05-2026&noticeType=2"}],"x":"Text"}
148444 | ref followed by another sentence, Welsh manner | s2w 148444 | {"x":"Text\n(WA Ref:148444)\nThe buyer considers that this contract is suitable for consortia."}
148445 | Welsh text | s2w 148445 | {"x":"Cyflenwi offer swyddfa i ysgolion.\n(WA Ref:148445)","title":"Cyflenwi offer swyddfa"}
- | UK-numbered Welsh notice without evidence | s2w 148446 | {"title":"Highway works","x":"Published also on Sell2Wales."}
700040 | another title, same buyer, evidence holds | pcs 700040 | {"title":"Supply of laptops","links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700040"}],"x":"Text\n(SC Ref:700040)"}
700051 | award follows: link to the family, ref of the award | pcs 700041; pcs 700051 of 700041 award | {"tag":"award","links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700041"}],"x":"Text\n(SC Ref:700051)"}
700042 | second copy of one original | pcs 700042 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700042"}],"x":"Text\n(SC Ref:700042)","twin":true}
700043 | ref then ESPD link, as recorded | pcs 700043 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700043"}],"x":"Text\n(SC Ref:700043)\nDownload the ESPD document here: https://www.publiccontractsscotland.gov.uk/ESPD/ESPD_Download.aspx?id=700043"}
700045,- | two different numbers on one line | pcs 700044; pcs 700045 | {"x":"Text\n(SC Ref:700044) (SC Ref:700045)"}
700046 | both portals named | pcs 700046; s2w 148447 | {"links":[{"rel":"canonical","href":"https://api.publiccontractsscotland.gov.uk/v1/Notice?id=ocds-r6ebe6-0000700046"}],"x":"Text\n(WA Ref:148447)\n(SC Ref:700046)"}
- | canonical to Find a Tender itself | pcs 700047 | {"links":[{"rel":"canonical","href":"https://www.find-tender.service.gov.uk/Notice/000123-2026"}],"x":"Text"}
700048 | empty link, ref holds | pcs 700048 | {"links":[{"rel":"canonical","href":""}],"x":"Text\n(SC Ref:700048)"}
- | ref zero | pcs 700049 | {"x":"Text\n(SC Ref:0)"}
- | ocid of the portal as relatedProcess | pcs 700050 | {"related":"ocds-r6ebe6-0000700050","x":"Text"}
`;

interface Pair {
  right: (number | null)[];
  name: string;
  held: string[];
  copy: Copy;
}

export const PAIRS: readonly Pair[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [right = '', name = '', held = '', ...copy] = line.split(' | ');
    const numbers = right.split(',').map((one) => (one === '-' ? null : Number(one)));
    return { right: numbers, name, held: held.split('; '), copy: JSON.parse(copy.join(' | ')) as Copy };
  });
