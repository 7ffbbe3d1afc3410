import type { Trade } from './types.ts';

/** Care and health. */
export const CARE: readonly Trade[] = [
  {
    key: 'care',
    category: 'services',
    needs: [
      {
        title: 'Home Care and Reablement Services',
        cpv: ['85312000'],
        scope:
          'Providers registered with the Care Quality Commission will deliver home care in geographical zones. Hours are not guaranteed; rates are reviewed each April.',
      },
      {
        title: 'Supported Living for Adults with Learning Disabilities',
        cpv: ['85311000', '85312000'],
        scope:
          'Core and additional support hours in {sites} shared houses, with a focus on positive behaviour support and progression to independence.',
      },
      {
        title: 'Domestic Abuse Support Service',
        cpv: ['85312000'],
        scope:
          'Refuge, outreach and therapeutic support for victims and their children, meeting the duties of the Domestic Abuse Act 2021.',
        value: [300_000, 6_000_000],
      },
      {
        title: 'Day Opportunities for Older People',
        cpv: ['85312100', '85311100'],
        scope:
          'Building-based and community activities with transport and a hot meal, for people living with dementia and their carers.',
        value: [90_000, 2_400_000],
      },
    ],
    lots: ['North locality', 'Central locality', 'South locality', 'Extra care schemes'],
    value: [250_000, 38_000_000],
    months: [24, 36, 60],
    buyers: ['council', 'county'],
    firms: ['Care', 'Homecare', 'Support', 'Community Living'],
    sic: ['88100', 'Social work activities without accommodation for the elderly and disabled'],
    lightTouch: true,
  },
  {
    key: 'children',
    category: 'services',
    needs: [
      {
        title: 'Children’s Residential Care - Block Beds',
        cpv: ['85311000', '85311300'],
        scope:
          'Twelve block-booked placements in Ofsted-registered homes rated Good or Outstanding, within 20 miles of the area.',
      },
      {
        title: 'Independent Fostering Placements',
        cpv: ['85311300'],
        scope:
          'Agencies will offer mainstream, parent-and-child and short-break placements at banded weekly prices, through a transparent referral process.',
      },
      {
        title: 'Holiday Activities and Food Programme {year}',
        cpv: ['85311300'],
        scope:
          'Free places with a hot meal for children eligible for benefits-related free school meals, four days a week in the Easter, summer and Christmas holidays.',
        value: [40_000, 1_400_000],
      },
      {
        title: 'Emotional Wellbeing Support for Young People',
        cpv: ['85311300', '85121270'],
        scope:
          'Low-intensity counselling in schools and online for 11 to 18 year olds, with a first appointment within four weeks.',
        value: [80_000, 1_800_000],
      },
    ],
    lots: ['Under 11', '11 to 17', 'Care leavers'],
    value: [150_000, 26_000_000],
    months: [12, 36, 48],
    buyers: ['council', 'county'],
    firms: ['Children’s Homes', 'Fostering', 'Young People’s Services'],
    sic: ['87900', 'Other residential care activities n.e.c.'],
    lightTouch: true,
  },
  {
    key: 'health',
    category: 'services',
    needs: [
      {
        title: 'Community Dermatology Service',
        cpv: ['85323000'],
        scope:
          'A consultant-led service from at least {sites} locations, with teledermatology triage within two working days and minor surgery.',
        buyers: ['nhs'],
      },
      {
        title: 'NHS Talking Therapies',
        cpv: ['85121270', '85323000'],
        scope:
          'Step 2 and step 3 treatment for anxiety and depression to the national access and recovery standards, on the NHS Standard Contract.',
        buyers: ['nhs'],
        value: [1_500_000, 48_000_000],
      },
      {
        title: 'Occupational Health Services',
        cpv: ['85147000'],
        scope:
          'Pre-employment screening, management referrals, health surveillance and a confidential employee assistance line for {count} staff.',
        buyers: ['nhs', 'county', 'council', 'university', 'police', 'central'],
        value: [30_000, 1_200_000],
      },
      {
        title: 'Stop Smoking Service',
        cpv: ['85323000'],
        scope:
          'Specialist behavioural support with nicotine replacement and vapes, aimed at routine and manual workers and pregnant women.',
        buyers: ['county', 'council'],
        value: [120_000, 2_200_000],
      },
      {
        title: 'Community Diagnostic Imaging',
        cpv: ['85150000'],
        scope:
          'Mobile MRI and CT capacity with reporting within five days, six days a week, at {sites} community sites.',
        buyers: ['nhs'],
      },
    ],
    lots: ['North', 'South'],
    value: [250_000, 24_000_000],
    months: [24, 36, 60],
    buyers: ['nhs', 'county', 'council', 'university', 'police', 'central'],
    firms: ['Health', 'Clinical Services', 'Therapies', 'Diagnostics'],
    sic: ['86900', 'Other human health activities'],
    lightTouch: true,
  },
];
