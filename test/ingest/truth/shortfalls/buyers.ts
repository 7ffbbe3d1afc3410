import { because, type Shortfalls } from './because.ts';

/** By the two sightings. */
export const BUYER_SHORTFALLS: Shortfalls = {
  ...because('an acronym, a short name or a unit that no list holds', [
    'LHC | LHC Procurement Group Limited',
    'EEM Ltd | Efficiency East Midlands Limited',
    'L&Q | London and Quadrant Housing Trust',
    'St Leger Homes | St Leger Homes of Doncaster Ltd',
    'Brackham MAT | Brackham Multi-Academy Trust',
    'St. Hild C of E Primary School | St Hild Church of England Primary School',
  ]),
  ...because('universities: an acronym, or the words in another order', [
    'TUCO | The University Caterers Organisation Ltd',
    'LSE | London School of Economics and Political Science',
    'Sheffield University | University of Sheffield',
    'Univ. of Leeds | University of Leeds',
    'UWE Bristol | University of the West of England, Bristol',
    'University of Durham | Durham University',
    'MMU | Manchester Metropolitan University',
    'Manchester Met | Manchester Metropolitan University',
    "QUB | Queen's University Belfast",
    "The Queen's University of Belfast | Queens University Belfast",
  ]),
  ...because('a letter lost: names of buyers forgive no slip', [
    'Leicestershire County Counci | Leicestershire County Council',
    'Tidewell Borough Counci, ZZ4 2AA, Tidewell | Tidewell Borough Council, zz42aa, TIDEWELL',
  ]),
  ...because('health bodies: an acronym, a type left out or shortened', [
    'HTE | HealthTrust Europe LLP',
    'HealthTrust Europe LLP (HTE) acting on behalf of | HealthTrust Europe LLP',
    'GSTT | Guy’s and St Thomas’ NHS Foundation Trust',
    'Countess of Chester Hospital | Countess of Chester Hospital NHS Foundation Trust',
    'Great Ormond Street Hospital | Great Ormond Street Hospital for Children NHS Foundation Trust',
    'GOSH | Great Ormond Street Hospital for Children NHS Foundation Trust',
    'Barts Health | Barts Health NHS Trust',
    'Leeds CCG | NHS Leeds Clinical Commissioning Group',
    'Norfolk and Waveney ICB | NHS Norfolk and Waveney Integrated Care Board',
    'Cornwall College Group | The Cornwall College Group (TCCG)',
  ]),
  ...because('police and fire: an acronym, or a word left out', [
    'Surrey PCC | Police and Crime Commissioner for Surrey',
  ]),
  ...because('two bodies of a name that says nothing: numbers of a source do not part them', [
    'Procurement Unit, GB-FTS-1 | Procurement Unit, GB-FTS-2, Truro',
  ]),
};
