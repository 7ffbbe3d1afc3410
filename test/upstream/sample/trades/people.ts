import type { Trade } from './types.ts';

/** Staff, teaching and advice. */
export const PEOPLE_SERVICES: readonly Trade[] = [
  {
    key: 'staff',
    category: 'services',
    needs: [
      {
        title: 'Managed Service for Temporary Agency Workers',
        cpv: ['79620000'],
        scope:
          'A master vendor will supply all categories of temporary worker through one e-timesheet system, with checks to the employment check standards.',
        buyers: ['council', 'county', 'central', 'consortium', 'university'],
        value: [900_000, 30_000_000],
      },
      {
        title: 'Supply Teachers and Classroom Support',
        cpv: ['79620000'],
        scope:
          'Daily and long-term supply with safeguarding checks to Keeping Children Safe in Education, at capped margins and no transfer fee after twelve weeks.',
        buyers: ['school'],
        value: [40_000, 900_000],
      },
      {
        title: 'Executive Search - Director of Place',
        cpv: ['79600000'],
        scope:
          'Search and selection for one senior post, including assessment centre, stakeholder panels and a six-month replacement guarantee.',
        value: [12_000, 60_000],
        buyers: ['council', 'county'],
      },
      {
        title: 'Bank and Agency Nursing Staff',
        cpv: ['79624000'],
        scope:
          'Registered nurses and healthcare support workers at or below the national price caps, through direct engagement.',
        buyers: ['nhs', 'consortium'],
      },
    ],
    lots: ['Office and administrative', 'Professional', 'Manual and operational'],
    value: [25_000, 12_000_000],
    months: [12, 24, 36],
    buyers: ['council', 'county', 'nhs', 'school', 'central', 'consortium', 'university'],
    firms: ['Recruitment', 'Staffing', 'Personnel', 'Workforce'],
    sic: ['78200', 'Temporary employment agency activities'],
  },
  {
    key: 'training',
    category: 'services',
    needs: [
      {
        title: 'Skills Bootcamps in Construction and Digital',
        cpv: ['80530000'],
        scope:
          'Up to sixteen weeks of training with a guaranteed interview. Payment is by results: 30% on start, 40% on completion and 30% on a positive outcome.',
        buyers: ['county', 'college', 'central'],
      },
      {
        title: 'Leadership Development Programme',
        cpv: ['80532000'],
        scope:
          'A modular programme for three cohorts of middle managers, with coaching, 360-degree feedback and an evaluation of return.',
      },
      {
        title: 'First Aid and Manual Handling Training',
        cpv: ['80562000', '80500000'],
        scope:
          'Ofqual-regulated courses delivered on site in groups of twelve, with booking and certification administered by the supplier.',
        value: [10_000, 240_000],
      },
      {
        title: 'Adult Learning Subcontracting {year}',
        cpv: ['80000000', '80530000'],
        scope:
          'Tailored learning and community English courses for residents in eligible postcodes, funded through the adult skills fund.',
        buyers: ['council', 'county', 'college'],
      },
    ],
    lots: ['Construction skills', 'Digital skills', 'Green skills'],
    value: [12_000, 2_800_000],
    months: [6, 12, 24],
    buyers: ['council', 'college', 'central', 'police', 'nhs', 'county', 'fire'],
    firms: ['Training', 'Learning', 'Skills', 'Academy'],
    sic: ['85590', 'Other education n.e.c.'],
    lightTouch: true,
  },
  {
    key: 'consulting',
    category: 'services',
    needs: [
      {
        title: 'Independent Evaluation of the Local Growth Pilot',
        cpv: ['79419000'],
        scope:
          'A process, impact and value-for-money evaluation with inception, interim and final reports; the final report will be published.',
      },
      {
        title: 'Transformation Partner',
        cpv: ['79411000'],
        scope:
          'A partner is sought to diagnose, design and deliver savings across adult social care, with at least half of the fee at risk.',
        value: [200_000, 4_500_000],
        buyers: ['council', 'county', 'nhs'],
      },
      {
        title: 'Strategic Outline Business Case - {site}',
        cpv: ['79411000', '73200000'],
        scope:
          'A business case in the five-case model to Green Book standard, with option appraisal, costing and a benefits plan.',
      },
      {
        title: 'Housing Needs Assessment',
        cpv: ['79311000'],
        scope:
          'An assessment of need by size, type and tenure to inform the local plan, including older persons’ and traveller accommodation.',
        buyers: ['council'],
        value: [20_000, 120_000],
      },
    ],
    lots: ['Evaluation', 'Business cases'],
    value: [15_000, 900_000],
    months: [3, 6, 12, 24],
    buyers: ['central', 'council', 'county', 'nhs', 'university'],
    firms: ['Consulting', 'Insight', 'Research', 'Advisory'],
    sic: ['70229', 'Management consultancy activities other than financial management'],
  },
  {
    key: 'design',
    category: 'services',
    needs: [
      {
        title: 'Multi-disciplinary Design Team - {site}',
        cpv: ['71200000', '71311000'],
        scope:
          'Appointment to RIBA Stage 3 in the first instance, with an option to continue to Stage 7 subject to approval of the full business case.',
      },
      {
        title: 'Employer’s Agent and Cost Management',
        cpv: ['71541000'],
        scope:
          'The consultant will act as employer’s agent, quantity surveyor and principal designer for a programme of new homes.',
        buyers: ['housing', 'council'],
      },
      {
        title: 'Transport Modelling and Highway Design',
        cpv: ['71311000'],
        scope:
          'Update of the strategic model to current appraisal guidance, junction modelling and preliminary design of three corridor schemes.',
        buyers: ['county', 'council'],
      },
      {
        title: 'Condition Surveys of the Estate',
        cpv: ['71315300'],
        scope:
          'Fabric, mechanical and electrical condition surveys of {sites} buildings, with priced priorities over ten years and asset data in an open format.',
        value: [20_000, 450_000],
      },
    ],
    lots: ['Architecture', 'Engineering', 'Cost management'],
    value: [20_000, 3_400_000],
    months: [6, 12, 24, 36],
    buyers: ['council', 'university', 'county', 'central', 'nhs', 'housing'],
    firms: ['Architects', 'Engineering', 'Surveyors', 'Design Partnership'],
    sic: ['71111', 'Architectural activities'],
  },
  {
    key: 'professional',
    category: 'services',
    needs: [
      {
        title: 'Legal Services Panel',
        cpv: ['79110000'],
        scope:
          'Firms are sought for property, employment, litigation and commercial work, with a named relationship lead, capped fees and free training hours.',
      },
      {
        title: 'Internal Audit Services',
        cpv: ['79212200'],
        scope:
          'A risk-based annual plan to the Global Internal Audit Standards, with counter-fraud support and attendance at every audit committee.',
        value: [20_000, 600_000],
      },
      {
        title: 'Insurance Programme including Property and Liability',
        cpv: ['66510000'],
        scope:
          'Property, combined liability, motor and cyber cover under a long-term agreement; claims experience for five years is provided.',
      },
      {
        title: 'Banking and Merchant Acquiring Services',
        cpv: ['66110000'],
        scope:
          'Current accounts, BACS, card acquiring and cash collection, with an online platform and dual authorisation.',
        value: [20_000, 700_000],
      },
    ],
    lots: ['Lot A', 'Lot B', 'Lot C'],
    value: [20_000, 2_600_000],
    months: [12, 36, 60],
    buyers: ['council', 'housing', 'university', 'fire', 'police', 'central', 'college'],
    firms: ['Law', 'Audit', 'Insurance Brokers', 'Assurance'],
    sic: ['69102', 'Solicitors'],
  },
];
