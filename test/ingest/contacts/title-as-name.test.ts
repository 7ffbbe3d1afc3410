import { expect, it } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { packageOf } from '../compile/releases.ts';

const TITLE = 'Provision of UKCSI Data & Discovery Roadmap Membership';

/** The tender's texts in a release with a contact of this name. */
function textsOf(name: unknown, title: string, description: string) {
  const release = {
    ocid: 'ocds-h6vhtk-000001',
    id: '000001-2026',
    date: '2026-01-01T00:00:00Z',
    tag: ['tender'],
    parties: [{ id: 'b', name: 'Little Example Council', roles: ['buyer'], contactPoint: { name } }],
    tender: { id: 't', title, description },
  };
  const [read] = readOcdsPage(packageOf([release]), { source: 'find_a_tender', url: 'test' }).releases;
  return read?.json.tender;
}

it('a contact point that has the title for a name names nobody', () => {
  const description = 'A three-year Discovery Roadmap Membership is required.';
  for (const name of [TITLE, ` ${TITLE} `])
    expect(textsOf(name, TITLE, description)).toMatchObject({ title: TITLE, description });
});

it('a contact whom the title only mentions is struck from it', () => {
  const found = textsOf('Dora Rowley', 'Advice of Dora Rowley', 'Ask Dora Rowley.');
  expect(found).toMatchObject({ title: 'Advice of [name removed]', description: 'Ask [name removed].' });
});
