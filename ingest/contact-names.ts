/** What a contact point is called when it is no person: a desk, a job, an organisation or a place. */
const NOT_A_PERSON = new Set(
  `academy accounts admin administration administrator advisor agency agreement agreements and applicable architects
  assistant associates association authority bid bids board borough business buyer buyers buying care category central
  centre chief church city civil client college commercial commissioning community company construction
  consultant consultants consulting contact contracting contracts contract coordinator corporate council county crown
  customer customers data defence delivery department desk development digital director district division east
  education electronic energy engineer engineering enquiries enquiry enterprise environment environmental estate estates
  executive facilities finance fire for framework frameworks fund general global government group head health helpdesk
  highways home hospital house housing hub human inbox information infrastructure innovation international
  international ict joint land lead learning legal library limited llp local london ltd mailbox maintenance manager
  management marketing medical ministry municipal museum national network new nhs north northern not of office officer
  operations organisation park parish partner partners partnership pension person planning plc police portal principal
  procurement product professional programme project projects property protection public purchase purchasing quality
  regional registry relations research resources responsible road royal safety sales school science secretary section
  sector security senior service services shared social society solicitors solutions sourcing south southern specialist
  sport standard state strategic strategy street supplier suppliers supplies supply support sustainability systems team
  technical technology tender tendering tenders the town trading training transformation transport travel trust uk unit
  university waste water west western works young youth`.split(/\s+/),
);
const TITLE = /^(?:mr|mrs|miss|ms|mx|dr|prof|professor|sir|dame|rev|cllr)\.? /i;
const PERSON = /^\p{Lu}[\p{L}'’-]*\.?(?: \p{Lu}[\p{L}'’-]*\.?){0,2} \p{Lu}[\p{L}'’-]+$/u;
const REMOVED = '[name removed]';

/** The name of a person as texts may repeat it, without a title; null where it is none, or may be none. */
export function personNamed(name: string): string | null {
  const bare = name
    .replace(/\(.*\)/, '')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(TITLE, '');
  if (bare.length > 60 || !PERSON.test(bare)) return null;
  return bare.split(/[ .'’-]+/).some((word) => NOT_A_PERSON.has(word.toLowerCase())) ? null : bare;
}

/**
 * Which of these names of contact points the JSON of their release repeats, as patterns. A person who is a party to the
 * contract too (a sole trader) stays named.
 */
export function findRepeatedNames(body: string, names: readonly (string | null)[]): RegExp[] {
  const repeated = new Set<string>();
  for (const name of names) {
    const person = name && personNamed(name);
    if (!person || !body.includes(person.slice(person.lastIndexOf(' ') + 1))) continue;
    const words = person.replaceAll('.', '\\.').replaceAll(' ', '\\s+');
    const isParty = new RegExp(`"(?:name|legalName)":"[^"]*${words}`, 'iu').test(body);
    if (!isParty) repeated.add(words);
  }
  return [...repeated].map((words) => new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'gu'));
}

/** Takes names out of a text, as they were written. */
export function strikeNames(text: string, names: readonly RegExp[]): string {
  return names.reduce((left, name) => left.replace(name, REMOVED), text);
}
