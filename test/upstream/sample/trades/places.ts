import type { Trade } from './types.ts';

/** Services to places: cleaning, waste, grounds, security. */
export const PLACE_SERVICES: readonly Trade[] = [
  {
    key: 'cleaning',
    category: 'services',
    needs: [
      {
        title: 'Cleaning and Janitorial Services',
        cpv: ['90911200', '90910000'],
        scope:
          'Daily cleaning, periodic deep cleaning, consumables and washroom services at {sites} sites. TUPE is likely to apply, and staff must be paid at least the Real Living Wage.',
      },
      {
        title: 'Window Cleaning - {site}',
        cpv: ['90911300'],
        scope:
          'External windows, cladding and high-level glazing are to be cleaned quarterly by reach-and-wash or rope access.',
        value: [8_000, 180_000],
      },
      {
        title: 'Deep Cleaning and Infection Control Cleaning',
        cpv: ['90921000', '90910000'],
        scope:
          'Hydrogen peroxide vapour and steam cleaning of clinical areas to the National Standards of Healthcare Cleanliness, with a two-hour response.',
        buyers: ['nhs'],
      },
      {
        title: 'Cleaning Services for {site}',
        cpv: ['90911200'],
        scope:
          'An input-based specification for daily term-time cleaning, with two deep cleans a year and relief cover for absence.',
      },
    ],
    lots: ['Offices', 'Schools', 'Depots and public conveniences'],
    value: [35_000, 4_200_000],
    months: [24, 36, 48],
    buyers: ['council', 'school', 'college', 'nhs', 'police', 'university', 'housing'],
    firms: ['Cleaning', 'Facilities', 'Environmental Services', 'Support Services'],
    sic: ['81210', 'General cleaning of buildings'],
  },
  {
    key: 'waste',
    category: 'services',
    needs: [
      {
        title: 'Treatment of Separately Collected Food Waste',
        cpv: ['90513000'],
        scope:
          'The service provider will receive, bulk, haul and treat by anaerobic digestion about {count} tonnes a year, within 45 minutes of the district boundary.',
      },
      {
        title: 'Household Waste Recycling Centre Management',
        cpv: ['90514000', '90511000'],
        scope:
          'Operation of {sites} sites with a reuse shop at each, a booking system in summer and a guaranteed recycling rate of at least 62%.',
      },
      {
        title: 'Processing of Dry Mixed Recyclables',
        cpv: ['90514000'],
        scope:
          'Sorting and marketing of about {count} tonnes a year of twin-stream recyclables, with monthly composition sampling and a basket price mechanism.',
      },
      {
        title: 'Clinical Waste Collection and Disposal',
        cpv: ['90524000'],
        scope:
          'Collection, transport and disposal of orange-bag, yellow-bag, cytotoxic and anatomical waste in line with HTM 07-01.',
        buyers: ['nhs', 'council'],
        value: [60_000, 3_500_000],
      },
    ],
    lots: ['East of the area', 'West of the area', 'Haulage'],
    value: [150_000, 32_000_000],
    months: [36, 60, 84, 96],
    buyers: ['council', 'county', 'nhs'],
    firms: ['Recycling', 'Waste Management', 'Resource Recovery', 'Environmental'],
    sic: ['38110', 'Collection of non-hazardous waste'],
  },
  {
    key: 'grounds',
    category: 'services',
    needs: [
      {
        title: 'Grounds Maintenance Services',
        cpv: ['77314000', '77310000'],
        scope:
          'Grass cutting, hedge and shrub maintenance, weed control without glyphosate near play areas, and winter gritting of footways.',
      },
      {
        title: 'Arboricultural Services and Ash Dieback Works',
        cpv: ['77211500'],
        scope:
          'Tree works to BS 3998:2010 by approved contractors, including felling of infected ash beside highways and emergency storm response.',
      },
      {
        title: 'Open Spaces and Verge Cutting Contract',
        cpv: ['77310000'],
        scope:
          'Rural verges are to be cut once for safety and once for biodiversity, with arisings collected on designated wildflower verges.',
        buyers: ['council', 'county'],
      },
      {
        title: 'Sports Pitch Maintenance',
        cpv: ['77314000'],
        scope:
          'Renovation, aeration, overseeding, marking out and fixture preparation of winter and summer sports pitches.',
        buyers: ['school', 'council', 'university'],
      },
    ],
    lots: ['Grass and shrubs', 'Hard areas', 'Reactive works'],
    value: [30_000, 3_600_000],
    months: [12, 36, 48],
    buyers: ['council', 'housing', 'school', 'nhs', 'county', 'university'],
    firms: ['Landscapes', 'Grounds', 'Tree Care', 'Arboriculture'],
    sic: ['81300', 'Landscape service activities'],
  },
  {
    key: 'security',
    category: 'services',
    needs: [
      {
        title: 'Manned Guarding and Reception Services',
        cpv: ['79713000', '79710000'],
        scope:
          'SIA-licensed officers are required at {sites} sites, with reception duties in office hours. TUPE information is in the tender pack.',
      },
      {
        title: 'CCTV Monitoring and Maintenance',
        cpv: ['79714000'],
        scope:
          'Twenty-four hour monitoring of 210 public space cameras from the authority’s control room, and planned and reactive maintenance of cameras and recorders.',
      },
      {
        title: 'Key Holding, Patrols and Alarm Response',
        cpv: ['79710000', '79713000'],
        scope:
          'Locking and unlocking, mobile patrols and alarm response within thirty minutes, with electronic proof of presence.',
      },
      {
        title: 'Vacant Property Security',
        cpv: ['79710000'],
        scope: 'Steel screening, temporary alarms and weekly inspections of void dwellings and surplus buildings.',
        buyers: ['council', 'housing', 'central'],
      },
    ],
    lots: ['Core sites', 'Outlying sites'],
    value: [40_000, 3_800_000],
    months: [24, 36, 48],
    buyers: ['council', 'nhs', 'university', 'central', 'college', 'housing'],
    firms: ['Security', 'Guarding', 'Protection Services', 'Surveillance'],
    sic: ['80100', 'Private security activities'],
  },
];
