import type { Trade } from './types.ts';

/** Works: roads, buildings, water, energy. */
export const WORKS: readonly Trade[] = [
  {
    key: 'highways',
    category: 'works',
    needs: [
      {
        title: 'Highway Resurfacing Programme {year}',
        cpv: ['45233141', '45233222'],
        scope:
          'The works comprise planing and resurfacing of carriageways, ironwork adjustment, road markings and the associated traffic management.',
      },
      {
        title: '{place} Footway and Kerbing Reconstruction',
        cpv: ['45233222'],
        scope:
          'Footways are to be reconstructed in modular paving and bituminous materials, with dropped kerbs and tactile paving to current guidance.',
      },
      {
        title: 'Highways Term Maintenance Contract',
        cpv: ['45233141', '45233120'],
        scope:
          'The contractor will deliver planned and reactive works under task orders, including a two-hour emergency response, twenty-four hours a day. NEC4 Term Service Contract, Option A.',
        value: [4_000_000, 60_000_000],
      },
      {
        title: '{place} Town Centre Public Realm and Junction Improvements',
        cpv: ['45233120', '45233222'],
        scope:
          'The scheme provides a signalised crossroads, segregated cycle tracks, rain gardens and natural stone paving, built in four phases to keep traders open.',
      },
    ],
    lots: ['Carriageway resurfacing', 'Surface dressing and micro asphalt', 'Footways and kerbing'],
    value: [250_000, 18_000_000],
    months: [6, 12, 36, 48],
    buyers: ['county', 'council'],
    firms: ['Highways', 'Civil Engineering', 'Surfacing', 'Contracting'],
    sic: ['42110', 'Construction of roads and motorways'],
  },
  {
    key: 'building',
    category: 'works',
    needs: [
      {
        title: '{site} - Two Storey Teaching Block Extension',
        cpv: ['45214200', '45210000'],
        scope:
          'The extension provides eight classrooms, a group room and a hygiene suite. The school will remain open, and noisy work is to be kept outside examination periods.',
        buyers: ['school', 'county', 'council', 'college'],
      },
      {
        title: 'Refurbishment of {site}',
        cpv: ['45453100', '45300000'],
        scope:
          'The works include asbestos removal, new partitions and finishes, rewiring, ventilation and accessible toilets. The building will be partly occupied.',
      },
      {
        title: 'Design and Build of a New Community Hub',
        cpv: ['45210000'],
        scope:
          'A single-stage design and build contract (JCT DB 2024 with amendments) for a hub of 1,450 square metres with library, hall, café and changing places facility.',
        buyers: ['council', 'county'],
      },
      {
        title: '{site} Decarbonisation and Fabric Improvement Works',
        cpv: ['45300000', '45453100'],
        scope:
          'Works grant-funded under the public sector decarbonisation scheme: external wall insulation, glazing, air source heat pumps and controls. All works must be complete by the end of March.',
      },
    ],
    lots: ['Main works', 'Enabling works and asbestos removal'],
    value: [180_000, 24_000_000],
    months: [5, 9, 14, 18],
    buyers: ['council', 'county', 'university', 'college', 'school', 'nhs'],
    firms: ['Construction', 'Building', 'Build and Design', 'Contractors'],
    sic: ['41201', 'Construction of commercial buildings'],
  },
  {
    key: 'planned_works',
    category: 'works',
    needs: [
      {
        title: 'Planned Roof Replacement Programme {year}',
        cpv: ['45261900'],
        scope:
          'Pitched and flat roofs to some {count} homes are to be renewed with loft insulation, fascias, soffits and rainwater goods, priced against the M3NHF Schedule of Rates.',
      },
      {
        title: 'Kitchen and Bathroom Replacement Programme',
        cpv: ['45421000', '45453100'],
        scope:
          'About {count} occupied homes will receive new kitchens or bathrooms, with electrical upgrades and damp works where surveys show a need. Resident choice is to be offered.',
      },
      {
        title: 'Fire Door Replacement and Compartmentation Works',
        cpv: ['45343000', '45421000'],
        scope:
          'Third-party certified FD30S and FD60S doorsets are to be supplied and installed, and service penetrations fire-stopped, with a photographic record of every door.',
      },
      {
        title: 'Responsive Repairs and Void Works',
        cpv: ['50700000', '45453100'],
        scope:
          'The contractor will complete emergency repairs within four hours, routine repairs within twenty days and standard voids within ten, on a price-per-property basis.',
      },
    ],
    lots: ['Northern area', 'Southern area', 'Sheltered schemes'],
    value: [220_000, 14_000_000],
    months: [12, 24, 48, 60],
    buyers: ['housing', 'council'],
    firms: ['Property Services', 'Roofing', 'Joinery', 'Fire Protection', 'Homes Maintenance'],
    sic: ['43910', 'Roofing activities'],
  },
  {
    key: 'flood',
    category: 'works',
    needs: [
      {
        title: '{place} Flood Alleviation Scheme',
        cpv: ['45246400', '45112500'],
        scope:
          'The scheme comprises embankment raising, a flow control structure, property flood resilience to 64 homes and habitat creation. NEC4 Engineering and Construction Contract, Option C.',
      },
      {
        title: '{place} Culvert and Outfall Replacement',
        cpv: ['45240000'],
        scope:
          'A collapsed brick culvert is to be replaced by precast units under a restricted highway, with temporary flow diversion and fish passage at the outfall.',
      },
      {
        title: 'Coastal Defence Maintenance',
        cpv: ['45240000', '45246400'],
        scope:
          'Annual beach recycling, groyne repair and concrete repair to the sea wall, outside the overwintering bird season. A marine licence is held.',
      },
    ],
    lots: ['Embankments', 'Control structures'],
    value: [300_000, 16_000_000],
    months: [8, 14, 24],
    buyers: ['county', 'council', 'utility'],
    firms: ['Civil Engineering', 'Marine and Coastal', 'Groundworks'],
    sic: ['42910', 'Construction of water projects'],
  },
  {
    key: 'mains',
    category: 'works',
    needs: [
      {
        title: 'Trunk Main Renewal - {place}',
        cpv: ['45232150', '45231300'],
        scope:
          'Renewal of 6.2 km of trunk main in ductile iron and polyethylene, with two railway crossings by pipe jacking, pressure testing and disinfection.',
      },
      {
        title: 'Water Mains Rehabilitation and Services',
        cpv: ['45232150'],
        scope:
          'Distribution mains are to be renewed by open cut, directional drilling and pipe bursting, with service transfers and permanent reinstatement.',
      },
      {
        title: 'Sewer Lining and Repair {year}',
        cpv: ['45232410', '45231300'],
        scope:
          'CCTV survey, jetting, cured-in-place lining and localised excavation repairs on public sewers from 150 to 900 mm.',
      },
    ],
    lots: ['East region', 'West region'],
    value: [500_000, 40_000_000],
    months: [24, 36, 60],
    buyers: ['utility'],
    firms: ['Pipelines', 'Utilities', 'Trenchless Solutions'],
    sic: ['42210', 'Construction of utility projects for fluids'],
  },
  {
    key: 'building_services',
    category: 'services',
    needs: [
      {
        title: 'Mechanical and Electrical Planned Preventative Maintenance',
        cpv: ['50710000'],
        scope:
          'Planned preventative maintenance to SFG20, statutory inspection, reactive call-outs and minor remedial works across {sites} buildings.',
      },
      {
        title: 'Gas Servicing, Repairs and Boiler Replacement',
        cpv: ['50720000'],
        scope:
          'Annual landlord gas safety checks to some {count} dwellings, breakdown repairs all year round and planned boiler replacements. Engineers must be Gas Safe registered.',
        buyers: ['housing', 'council'],
      },
      {
        title: 'Lift Maintenance and Repair',
        cpv: ['50750000'],
        scope:
          'Comprehensive maintenance of {sites} passenger and platform lifts, with entrapment response within one hour and correction of insurance inspection defects.',
      },
      {
        title: 'Fixed Wire Testing and Remedial Works',
        cpv: ['50710000'],
        scope:
          'Periodic inspection and testing to BS 7671 on a five-year cycle, with code 1 defects made safe at once. NICEIC approval or equivalent is required.',
      },
    ],
    lots: ['Northern estate', 'Southern estate', 'Specialist buildings', 'Out of hours response'],
    value: [60_000, 6_000_000],
    months: [12, 24, 36, 48],
    buyers: ['council', 'housing', 'nhs', 'university', 'police', 'college'],
    firms: ['Building Services', 'Mechanical and Electrical', 'Heating', 'Lifts', 'Compliance Engineers'],
    sic: ['43220', 'Plumbing, heat and air-conditioning installation'],
  },
  {
    key: 'energy_works',
    category: 'works',
    needs: [
      {
        title: 'Rooftop Solar PV - {site}',
        cpv: ['09332000'],
        scope:
          'Design, structural survey, grid application, supply, installation and commissioning of a roof-mounted array with monitoring and five years of maintenance.',
      },
      {
        title: 'Electric Vehicle Charging Infrastructure',
        cpv: ['31158000', '45315300'],
        scope:
          'The supplier will install, own and operate {count} charge points on a fifteen-year concession, with a revenue share and an uptime of at least 99%.',
        buyers: ['council', 'county'],
      },
      {
        title: 'Air Source Heat Pump Installation - {site}',
        cpv: ['42511110', '45300000'],
        scope:
          'Removal of gas boilers and installation of a cascade of heat pumps with new emitters, buffer vessels, controls and acoustic screening.',
      },
    ],
    lots: ['Solar PV and storage', 'Charge points'],
    value: [80_000, 5_500_000],
    months: [6, 12, 36],
    buyers: ['council', 'county', 'university', 'nhs', 'fire', 'school'],
    firms: ['Renewables', 'Energy Solutions', 'Electrical'],
    sic: ['43210', 'Electrical installation'],
  },
];
