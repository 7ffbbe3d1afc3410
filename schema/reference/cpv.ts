/** The divisions of the Common Procurement Vocabulary (Commission Regulation (EC) No 213/2008): the first two digits of a code. */
const DIVISIONS = `
03 Agricultural, farming, fishing, forestry and related products
09 Petroleum products, fuel, electricity and other sources of energy
14 Mining, basic metals and related products
15 Food, beverages, tobacco and related products
16 Agricultural machinery
18 Clothing, footwear, luggage articles and accessories
19 Leather and textile fabrics, plastic and rubber materials
22 Printed matter and related products
24 Chemical products
30 Office and computing machinery, equipment and supplies except furniture and software packages
31 Electrical machinery, apparatus, equipment and consumables; lighting
32 Radio, television, communication, telecommunication and related equipment
33 Medical equipments, pharmaceuticals and personal care products
34 Transport equipment and auxiliary products to transportation
35 Security, fire-fighting, police and defence equipment
37 Musical instruments, sport goods, games, toys, handicraft, art materials and accessories
38 Laboratory, optical and precision equipments (excl. glasses)
39 Furniture (incl. office furniture), furnishings, domestic appliances (excl. lighting) and cleaning products
41 Collected and purified water
42 Industrial machinery
43 Machinery for mining, quarrying, construction equipment
44 Construction structures and materials; auxiliary products to construction (except electric apparatus)
45 Construction work
48 Software package and information systems
50 Repair and maintenance services
51 Installation services (except software)
55 Hotel, restaurant and retail trade services
60 Transport services (excl. waste transport)
63 Supporting and auxiliary transport services; travel agencies services
64 Postal and telecommunications services
65 Public utilities
66 Financial and insurance services
70 Real estate services
71 Architectural, construction, engineering and inspection services
72 IT services: consulting, software development, Internet and support
73 Research and development services and related consultancy services
75 Administration, defence and social security services
76 Services related to the oil and gas industry
77 Agricultural, forestry, horticultural, aquacultural and apicultural services
79 Business services: law, marketing, consulting, recruitment, printing and security
80 Education and training services
85 Health and social work services
90 Sewage, refuse, cleaning and environmental services
92 Recreational, cultural and sporting services
98 Other community, social and personal services`;

export interface CpvDivision {
  /** Two digits. */
  code: string;
  name: string;
}

export const CPV_DIVISIONS: readonly CpvDivision[] = DIVISIONS.trim()
  .split('\n')
  .map((line) => ({ code: line.slice(0, 2), name: line.slice(3) }));

/** A code without its meaningless part: its check digit and trailing zeros. `45000000-7`, `45000000` and `45` are one branch. */
export function cpvBranch(code: string): string {
  const digits = code.replace(/-\d$/, '');
  return digits.slice(0, 2) + digits.slice(2).replace(/0+$/, '');
}

/** The division of a code of two to eight digits, or undefined. */
export function divisionOf(code: string): CpvDivision | undefined {
  return /^\d{2,8}$/.test(code) ? CPV_DIVISIONS.find((division) => code.startsWith(division.code)) : undefined;
}
