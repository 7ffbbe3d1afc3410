import type { Trade } from './types.ts';

/** Technology and media. */
export const TECHNOLOGY: readonly Trade[] = [
  {
    key: 'software',
    category: 'services',
    needs: [
      {
        title: 'Case Management System for Social Care',
        cpv: ['48000000', '72261000'],
        scope:
          'A hosted system for adults’ and children’s services with a provider portal, financial assessments and statutory returns, and migration of twelve years of records.',
        buyers: ['council', 'county'],
        value: [300_000, 8_500_000],
      },
      {
        title: 'Cloud Hosted HR and Payroll Solution',
        cpv: ['48450000', '72261000'],
        scope:
          'Core HR, payroll, recruitment and absence for {count} employees, with integration to Microsoft Entra ID and the finance ledger.',
      },
      {
        title: 'Electronic Patient Record - Maternity Module',
        cpv: ['48180000'],
        scope:
          'A module interoperable with the trust’s electronic patient record, supporting the maternity services data set and a patient-held record app.',
        buyers: ['nhs'],
      },
      {
        title: 'Software Development and Support Partner',
        cpv: ['72212000', '72261000'],
        scope:
          'Agile teams to develop and support public-facing services to the Service Standard and WCAG 2.2 AA. Cyber Essentials Plus is required.',
        buyers: ['central', 'university', 'police'],
      },
      {
        title: 'Replacement Planning and Building Control System',
        cpv: ['48000000'],
        scope:
          'A cloud service covering applications, enforcement, land charges and public access, with mapping and open interfaces.',
        buyers: ['council'],
      },
    ],
    lots: ['Core system', 'Integration and reporting'],
    value: [20_000, 3_500_000],
    months: [12, 24, 36, 60],
    buyers: ['council', 'nhs', 'university', 'central', 'police', 'housing', 'county'],
    firms: ['Software', 'Systems', 'Digital', 'Data'],
    sic: ['62012', 'Business and domestic software development'],
  },
  {
    key: 'technology',
    category: 'goods',
    needs: [
      {
        title: 'End User Devices Refresh',
        cpv: ['30213100'],
        scope:
          'Supply, imaging, asset tagging and delivery to desk of about {count} laptops and docks, with certified erasure and recycling of the old ones.',
      },
      {
        title: 'Wide Area Network and Internet Services',
        cpv: ['72400000', '64200000'],
        scope:
          'Resilient fibre connections to {sites} sites, managed firewalls and filtering, with a service desk all day every day.',
      },
      {
        title: 'Mobile Voice and Data',
        cpv: ['64212000'],
        scope: 'About {count} connections with pooled data, device management and no early-termination charges.',
        value: [30_000, 900_000],
      },
      {
        title: 'Managed Print and Multi-Functional Devices',
        cpv: ['30232100'],
        scope:
          'Lease and maintenance of multi-functional devices with follow-me printing, toner and a click charge inclusive of all parts.',
        value: [25_000, 900_000],
      },
      {
        title: 'Network Switch Replacement - {site}',
        cpv: ['32420000'],
        scope:
          'Core and edge switches with installation out of hours, wireless survey and a lifetime hardware warranty.',
        value: [40_000, 1_500_000],
      },
    ],
    lots: ['Supply', 'Installation', 'Support'],
    value: [25_000, 6_400_000],
    months: [1, 12, 36, 48],
    buyers: ['council', 'nhs', 'university', 'school', 'college', 'central', 'fire'],
    firms: ['Technology', 'Networks', 'IT Supplies', 'Communications'],
    sic: ['46510', 'Wholesale of computers, computer peripheral equipment and software'],
  },
  {
    key: 'media',
    category: 'services',
    needs: [
      {
        title: 'Interpreting and Translation Services',
        cpv: ['79540000', '79530000'],
        scope:
          'Spoken, telephone, video and British Sign Language interpreting on demand, with qualified interpreters and a fill rate of at least 97%.',
      },
      {
        title: 'Print and Hybrid Mail',
        cpv: ['79800000'],
        scope:
          'Transactional letters sent from the desktop, printed and posted the same day, with address cleansing and returns handling.',
      },
      {
        title: 'Creative and Media Buying Services',
        cpv: ['79340000'],
        scope: 'Strategy, creative and planned media for behaviour-change campaigns, with independent measurement.',
        buyers: ['central', 'council', 'university', 'nhs'],
      },
      {
        title: 'Election Print and Postal Packs',
        cpv: ['79800000'],
        scope:
          'Poll cards, ballot papers and postal vote packs to statutory deadlines, with secure data transfer and live proofing.',
        buyers: ['council'],
      },
    ],
    lots: ['Standard service', 'Specialist service', 'Emergency cover'],
    value: [12_000, 2_100_000],
    months: [6, 12, 36],
    buyers: ['council', 'nhs', 'central', 'police', 'university'],
    firms: ['Languages', 'Print', 'Media', 'Communications Agency'],
    sic: ['74300', 'Translation and interpretation activities'],
  },
];
