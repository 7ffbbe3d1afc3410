import {
  NOTICE_TYPE_NAMES,
  OLDER_FORM_NAMES,
  STAGE_OF_NOTICE_TYPE,
  STAGE_OF_TAG,
} from '../../../schema/reference/notice-types.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Table } from '../components/parts.tsx';

/**
 * Forms of the portals of Scotland and Wales by their numbers there, and the OCDS tag of their notices. A notice is read by its tags; only a change or correction (14, 15, 20) is recognised by its number.
 */
export const PORTAL_FORMS: readonly {
  tag: keyof typeof OLDER_FORM_NAMES | null;
  what: string;
  numbers: readonly string[];
}[] = [
  { tag: 'planning', what: 'Prior information', numbers: ['1', '4', '52', '101'] },
  {
    tag: 'tender',
    what: 'Contract notice, qualification system, design contest, concession, invitation to tender',
    numbers: ['2', '5', '7', '12', '24', '51', '102'],
  },
  { tag: 'tenderUpdate', what: 'Corrigendum', numbers: ['14'] },
  {
    tag: 'award',
    what: 'Award, results of a design contest, concession award, award of a Quick Quote, voluntary ex ante transparency',
    numbers: ['3', '6', '13', '15', '25', '53', '103', '104'],
  },
  { tag: 'contractAmendment', what: 'Modification', numbers: ['20'] },
  {
    tag: null,
    what: 'Social and other specific services, subcontracts: several stages, recognised by their tags alone',
    numbers: ['21', '22', '23', '54', '55', '56'],
  },
];

/** What each notice type means and its stage, and which portal forms correspond to it. */
export function noticeTypesPage(): Page {
  return {
    title: 'Notice types',
    description: 'Every notice type, what it means, its stage, and the forms of each portal',
    section: 'docs',
    body: (
      <>
        <p class="kind">
          <a href="/docs">API reference</a>
        </p>
        <Heading title="Notice types">
          <p class="lead">
            <code>notice_type</code> says which form a notice is, <code>stage</code> how far its procurement had come.
          </p>
        </Heading>
        <section class="prose">
          <h2>Procurement Act 2023</h2>
          <p>Since 24 February 2025 a notice names its form, UK1 to UK17, and the form decides the stage.</p>
        </section>
        <Table label="Notice types of the Procurement Act" columns={['Type', 'Meaning', 'Stage']}>
          {Object.entries(NOTICE_TYPE_NAMES).map(([type, name]) => (
            <TypeRow key={type} type={type} name={name} stage={STAGE_OF_NOTICE_TYPE[type]} />
          ))}
        </Table>
        <section class="prose">
          <h2>Older and smaller notices</h2>
          <p>
            A notice that was published before then, or is below the thresholds, names no form. Its type is its OCDS
            tag; of several, the one that says most, such as award of an award with its contract.
          </p>
        </section>
        <Table label="Types of older and smaller notices" columns={['Type', 'Meaning', 'Stage']}>
          {Object.entries(OLDER_FORM_NAMES).map(([type, name]) => (
            <TypeRow key={type} type={type} name={name} stage={STAGE_OF_TAG[type]} />
          ))}
        </Table>
        <section class="prose">
          <h2>Portals of Scotland and Wales</h2>
          <p>
            Both number their forms. Numbers below 50 mean the same on both; those from 51 to 56 belong to Wales, and
            those above 100 to Scotland. The tags of a notice decide its type. Forms 14, 15 and 20 are recognised by
            their numbers, as their releases carry the tags of what they are about. An unknown tag keeps its name, gets
            the stage of what the notice contains, and is counted on the <a href="/status">status page</a>.
          </p>
        </section>
        <Table label="Forms of the portals" columns={['Numbers', 'Form', 'Type']}>
          {PORTAL_FORMS.map(({ tag, what, numbers }) => (
            <tr key={what}>
              <th scope="row">{numbers.join(', ')}</th>
              <td>{what}</td>
              <td>{tag ? <code>{tag}</code> : 'by its tags'}</td>
            </tr>
          ))}
        </Table>
      </>
    ),
  };
}

function TypeRow({ type, name, stage = '' }: { type: string; name: string; stage?: string | undefined }) {
  return (
    <tr id={type}>
      <th scope="row">
        <code>{type}</code>
      </th>
      <td>{name}</td>
      <td>{stage}</td>
    </tr>
  );
}
