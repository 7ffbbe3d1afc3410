import { because, type Shortfalls } from './because.ts';

/** By the published name and the register. */
export const COMPANY_SHORTFALLS: Shortfalls = {
  ...because('a name without its legal form is not believed without a place', [
    'Northmoor Joinery | NORTHMOOR JOINERY LIMITED',
    'Eldon Catering | ELDON CATERING PLC, dissolved; ELDON CATERING LIMITED',
    'Vale Trust | VALE TRUST; VALE TRUSTEES LIMITED',
  ]),
  ...because('what stands before or behind the name is taken for part of it', [
    'Eldon Catering Ltd - 99000001 | ELDON CATERING LIMITED; ELDON CATERERS LIMITED',
  ]),
  ...because('a legal form written in another way', [
    'Muller Brackham GmbH | MÜLLER BRACKHAM GMBH',
    'Dwr y Dyffryn C.C.C. | DŴR Y DYFFRYN CCC',
    'Dwr y Dyffryn cwmni cyfyngedig cyhoeddus | DWR Y DYFFRYN CCC',
    'Vale Trust (a company limited by guarantee) | VALE TRUST',
  ]),
  ...because('a word shortened, or a trading name in words that are not read', [
    'Osyth Bros Ltd | OSYTH BROTHERS LIMITED',
    'Osyth Intl Ltd | OSYTH INTERNATIONAL LIMITED; OSYTH INTERIORS LIMITED',
  ]),
  ...because('a former name without a place, though nobody else bears it', [
    'Bright Plate Ltd | ELDON CATERING LIMITED',
    'Bright Plate (UK) Ltd | ELDON CATERING LIMITED; BRIGHT PLATES LIMITED',
  ]),
};
