import type { Trade } from './types.ts';

/** Food, transport and leisure. */
export const VISITS: readonly Trade[] = [
  {
    key: 'catering',
    category: 'services',
    needs: [
      {
        title: 'School Meals Catering Service',
        cpv: ['55524000'],
        scope:
          'A fresh, balanced service in line with the School Food Standards and at least Food for Life Bronze, on a guaranteed performance basis.',
        buyers: ['school', 'council', 'county'],
      },
      {
        title: 'Staff Restaurant and Hospitality Catering',
        cpv: ['55520000'],
        scope:
          'The caterer will run the restaurant, deli bar and hospitality at nil subsidy, with cashless payment and full allergen labelling.',
      },
      {
        title: 'Catering Concession - {site}',
        cpv: ['55330000'],
        scope:
          'A café concession with a minimum guaranteed rent and a share of turnover above a threshold; fit-out is at the concessionaire’s cost.',
        value: [60_000, 900_000],
      },
      {
        title: 'Supply of Fresh Fruit and Vegetables',
        cpv: ['15300000'],
        scope:
          'Daily deliveries before 07:30 to {sites} kitchens, graded Class I, with a seasonal price list fixed each term.',
        value: [40_000, 1_200_000],
      },
    ],
    lots: ['Primary kitchens', 'Secondary kitchens', 'Hospitality'],
    value: [60_000, 7_500_000],
    months: [24, 36, 60],
    buyers: ['school', 'council', 'college', 'university', 'nhs', 'county'],
    firms: ['Catering', 'Kitchens', 'Food Service', 'Fresh Foods'],
    sic: ['56290', 'Other food services'],
    lightTouch: true,
  },
  {
    key: 'transport',
    category: 'services',
    needs: [
      {
        title: 'Home to School Transport - SEND Routes',
        cpv: ['60130000', '60120000'],
        scope:
          'Operators must hold a PSV or private hire licence and provide trained passenger assistants. Routes are awarded for the academic year.',
      },
      {
        title: 'Supported Local Bus Services - {place}',
        cpv: ['60112000'],
        scope:
          'Evening and Sunday journeys on a minimum cost basis, with low-floor Euro VI vehicles, contactless ticketing and real-time information.',
      },
      {
        title: 'Non-Emergency Patient Transport',
        cpv: ['60130000'],
        scope:
          'Journeys for outpatients, discharges and renal dialysis patients to eligibility criteria, seven days a week.',
        buyers: ['nhs'],
        value: [400_000, 22_000_000],
      },
      {
        title: 'Passenger Transport Services {year}',
        cpv: ['60120000', '60130000'],
        scope:
          'Taxi and minibus journeys for adult social care, booked a day ahead; vehicles must be no more than ten years old.',
        buyers: ['council', 'county'],
      },
    ],
    lots: ['Minibus routes', 'Taxi routes', 'Wheelchair accessible vehicles'],
    value: [18_000, 9_000_000],
    months: [10, 12, 36, 48],
    buyers: ['county', 'council', 'nhs'],
    firms: ['Coaches', 'Travel', 'Passenger Transport', 'Cars'],
    sic: ['49390', 'Other passenger land transport'],
  },
  {
    key: 'leisure',
    category: 'services',
    needs: [
      {
        title: 'Operation of Leisure Centres',
        cpv: ['92610000'],
        scope:
          'The operator will take full repairing leases of {sites} facilities for ten years and pay a management fee to the council from the third year.',
        value: [4_000_000, 45_000_000],
      },
      {
        title: 'Event Production - {place} Festival of Light',
        cpv: ['79952000'],
        scope:
          'Design, production, stewarding, traffic orders and clear-up of a four-night free outdoor event for some 40,000 visitors.',
        value: [40_000, 350_000],
      },
      {
        title: 'Swimming Lessons and Pool Lifeguarding',
        cpv: ['92610000'],
        scope:
          'Qualified teachers and lifeguards for two pools, with a junior pathway and lessons for looked-after children at no charge.',
        value: [60_000, 700_000],
      },
    ],
    lots: ['Wet facilities', 'Dry facilities'],
    value: [40_000, 6_000_000],
    months: [3, 12, 60, 120],
    buyers: ['council'],
    firms: ['Leisure', 'Active Communities', 'Events'],
    sic: ['93110', 'Operation of sports facilities'],
  },
];
