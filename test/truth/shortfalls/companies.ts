import { because, type Shortfalls } from './because.ts';

/** By the published name and the register. */
export const COMPANY_SHORTFALLS: Shortfalls = {
  ...because('a name without its legal form is not believed without a place', [
    'Northmoor Joinery | NORTHMOOR JOINERY LIMITED',
    'Eldon Catering | ELDON CATERING PLC, dissolved; ELDON CATERING LIMITED',
    'Vale Trust | VALE TRUST; VALE TRUSTEES LIMITED',
  ]),
  ...because('what stands before or behind the name is taken for part of it', [
    'Northmoor Joinery Limitied | NORTHMOOR JOINERY LIMITED',
    'Harrow & Vale Company Limited (The) | THE HARROW AND VALE COMPANY LIMITED',
    'Eldon Catering Ltd - 99000001 | ELDON CATERING LIMITED; ELDON CATERERS LIMITED',
    'Eldon Catering Ltd (Company No. 99000001) | ELDON CATERING LIMITED',
    'ELDON CATERING LIMITED (99000001) | ELDON CATERING LIMITED; ELDON LIMITED',
    'Eldon Catering Ltd, 4 Mill Lane, Brackham | ELDON CATERING LIMITED',
    'Eldon Catering Ltd (Brackham Branch) | ELDON CATERING LIMITED',
    'Eldon Catering Ltd - Lot 3 | ELDON CATERING LIMITED',
    'Lot 2: Eldon Catering Limited | ELDON CATERING LIMITED',
    'Lots 1, 2 and 4 - Eldon Catering Ltd | ELDON CATERING LIMITED',
    '1. Eldon Catering Ltd | ELDON CATERING LIMITED',
    'a) Eldon Catering Ltd | ELDON CATERING LIMITED',
    'Messrs Eldon Catering Ltd | ELDON CATERING LIMITED',
    'M/s Eldon Catering Limited | ELDON CATERING LIMITED',
    'Eldon Catering Ltd N/A | ELDON CATERING LIMITED',
    'Eldon Catering Ltd (SME) | ELDON CATERING LIMITED',
    'Eldon Catering Ltd - awarded | ELDON CATERING LIMITED',
    'Eldon Catering Limited - Framework Supplier | ELDON CATERING LIMITED',
    'Eldon Catering Ltd c/o Vale Bank plc | ELDON CATERING LIMITED; VALE BANK PLC',
    'Eldon Catering Ltd (in administration) | ELDON CATERING LIMITED',
    'Eldon Catering Ltd (ECL) | ELDON CATERING LIMITED; ECL LIMITED',
    'Eldon Catering Ltd (part of the Vale Group) | ELDON CATERING LIMITED; VALE GROUP LIMITED',
    'Eldon Catering Ltd, a Vale Group company | ELDON CATERING LIMITED; VALE GROUP PLC',
    'Eldon Catering Ltd www.eldon-catering.example | ELDON CATERING LIMITED',
  ]),
  ...because('a word shortened, or a trading name in words that are not read', [
    'Northmoor Joinery Co Ltd | NORTHMOOR JOINERY COMPANY LIMITED',
    'Osyth Bros Ltd | OSYTH BROTHERS LIMITED',
    'Osyth Intl Ltd | OSYTH INTERNATIONAL LIMITED; OSYTH INTERIORS LIMITED',
    'Eldon Catering Ltd, trading name Green Spoon | ELDON CATERING LIMITED',
    'THE ELDON & VALE CO. LTD. T/A GREEN SPOON | ELDON AND VALE COMPANY LIMITED',
  ]),
  ...because('a legal form written in another way', [
    'Muller Brackham GmbH | MÜLLER BRACKHAM GMBH',
    'Dwr y Dyffryn C.C.C. | DŴR Y DYFFRYN CCC',
    'Dwr y Dyffryn cwmni cyfyngedig cyhoeddus | DWR Y DYFFRYN CCC',
    'Penhale Partners Limited Liability Partnership | PENHALE PARTNERS LLP',
    'Vale Trust (a company limited by guarantee) | VALE TRUST',
    'Caledon Partners Limited Partnership | CALEDON PARTNERS LP',
  ]),
  ...because('a former name without a place, though nobody else bears it', [
    'Bright Plate Ltd | ELDON CATERING LIMITED',
    'Bright Plate (UK) Ltd | ELDON CATERING LIMITED; BRIGHT PLATES LIMITED',
  ]),
  ...because('a community interest company and a limited one are taken for one', [
    'Penhale CIC | PENHALE LIMITED',
    'Penhale Ltd | PENHALE CIC',
  ]),
};
