import type { Trade } from './types.ts';

/** Goods. */
export const GOODS: readonly Trade[] = [
  {
    key: 'medical',
    category: 'goods',
    needs: [
      {
        title: 'Supply and Maintenance of Ultrasound Systems',
        cpv: ['33112200', '33100000'],
        scope:
          'Systems are to be delivered, commissioned and accepted before first patient use; applications training and five years of maintenance are included.',
      },
      {
        title: 'Wound Care and Dressings',
        cpv: ['33140000'],
        scope:
          'Supply of advanced wound dressings against a formulary of 140 lines, with clinical support and next-day delivery.',
      },
      {
        title: 'Blood Sciences Managed Laboratory Service',
        cpv: ['33696500'],
        scope:
          'Analysers, track, middleware, reagents and maintenance on a cost-per-reportable-result basis across {sites} laboratories.',
        value: [2_000_000, 40_000_000],
      },
      {
        title: 'Replacement CT Scanner and Enabling Works',
        cpv: ['33115100'],
        scope: 'A 256-slice scanner with turnkey enabling works, shielding and removal of the existing machine.',
        value: [650_000, 1_900_000],
      },
      {
        title: 'Orthopaedic Implants',
        cpv: ['33183100'],
        scope:
          'Hip, knee and trauma implants on consignment with loan kits, rated at least 10A by the orthopaedic data evaluation panel where a rating exists.',
      },
    ],
    lots: ['Supply', 'Consumables', 'Maintenance'],
    value: [30_000, 9_000_000],
    months: [12, 36, 60, 84],
    buyers: ['nhs', 'consortium'],
    firms: ['Medical', 'Diagnostics', 'Healthcare Supplies', 'Surgical'],
    sic: ['46460', 'Wholesale of pharmaceutical goods'],
  },
  {
    key: 'vehicles',
    category: 'goods',
    needs: [
      {
        title: 'Supply of Refuse Collection Vehicles',
        cpv: ['34144510'],
        scope:
          '26-tonne rear-steer vehicles with split bodies, bin lifts and 360-degree cameras, with driver training and a three-year warranty.',
        buyers: ['council'],
      },
      {
        title: 'Electric Light Commercial Vehicles',
        cpv: ['34144900', '34100000'],
        scope:
          'Panel vans and tippers with a real-world winter range of at least 120 miles, racked and liveried before delivery.',
      },
      {
        title: 'Fleet Maintenance and Tyres',
        cpv: ['50110000', '34350000'],
        scope:
          'Inspection, servicing and repair at the authority’s workshop and at the roadside, with tyres on a price-per-position basis.',
      },
      {
        title: 'Pumping Appliances',
        cpv: ['34144213'],
        scope: 'Type B rescue pumps on a 16-tonne chassis with compressed air foam, built to BS EN 1846.',
        buyers: ['fire'],
        value: [600_000, 6_000_000],
      },
    ],
    lots: ['Heavy vehicles', 'Light vehicles', 'Parts'],
    value: [45_000, 6_500_000],
    months: [4, 12, 36, 48],
    buyers: ['council', 'fire', 'police', 'county', 'nhs'],
    firms: ['Vehicles', 'Fleet', 'Motor Group', 'Commercials'],
    sic: ['45190', 'Sale of other motor vehicles'],
  },
  {
    key: 'energy',
    category: 'goods',
    needs: [
      {
        title: 'Half-Hourly Electricity Supply',
        cpv: ['09310000'],
        scope:
          'Flexible purchasing in a risk-managed basket for all half-hourly meters, with monthly consolidated billing and a renewable option.',
      },
      {
        title: 'Supply of Natural Gas',
        cpv: ['09123000'],
        scope:
          'Firm and interruptible supply to {sites} meters, fixed twelve months ahead, with automated meter readings.',
      },
      {
        title: 'Energy Bureau and Metering Services',
        cpv: ['71314000'],
        scope:
          'Bill validation, tariff checks, query management and carbon reporting, with a dashboard for site managers.',
        value: [25_000, 600_000],
      },
      {
        title: 'Power Purchase Agreement',
        cpv: ['09310000'],
        scope: 'A sleeved fifteen-year agreement for 12 GWh a year from a new solar farm.',
        value: [4_000_000, 42_000_000],
      },
    ],
    lots: ['Large sites', 'Small sites'],
    value: [200_000, 32_000_000],
    months: [12, 24, 48],
    buyers: ['consortium', 'university', 'nhs', 'council'],
    firms: ['Energy', 'Power', 'Utilities Supply'],
    sic: ['35140', 'Trade of electricity'],
  },
  {
    key: 'furniture',
    category: 'goods',
    needs: [
      {
        title: 'Furniture for {site}',
        cpv: ['39130000', '39160000'],
        scope:
          'Space planning, supply, delivery and installation, with removal of packaging. Timber must be from verified legal and sustainable sources.',
      },
      {
        title: 'Workwear and Personal Protective Equipment',
        cpv: ['18100000'],
        scope: 'Corporate workwear, hi-vis and footwear ordered from an online catalogue with individual allocations.',
        buyers: ['council', 'consortium', 'fire', 'nhs'],
      },
      {
        title: 'Library Furniture and Shelving',
        cpv: ['39155000'],
        scope: 'Mobile shelving, study desks with power and acoustic pods for a refurbished library.',
        buyers: ['university', 'council', 'college'],
        value: [25_000, 450_000],
      },
      {
        title: 'Structural Firefighting Garments',
        cpv: ['35811100', '18100000'],
        scope:
          'A fully managed service of two-layer garments to BS EN 469, including care, repair, decontamination and sizing.',
        buyers: ['fire'],
        value: [300_000, 3_500_000],
      },
    ],
    lots: ['Supply', 'Installation', 'Managed service'],
    value: [10_000, 1_400_000],
    months: [2, 6, 24, 48],
    buyers: ['school', 'university', 'council', 'fire', 'consortium', 'college', 'nhs'],
    firms: ['Interiors', 'Furniture', 'Workwear', 'Supplies'],
    sic: ['46650', 'Wholesale of office furniture'],
  },
];
