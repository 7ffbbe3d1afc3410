import type { Random } from '../random.ts';
import type { Trade } from './types.ts';

/** Something that bidders must show. */
export interface Condition {
  type: 'suitability' | 'economic' | 'technical';
  description: string;
  minimum?: string;
}

/** Sentences of terms, by what is bought. */
type ByCategory = Readonly<Record<Trade['category'], string>>;

/** About half of all notices state nothing else. */
export const VAGUE = 'As set out in the tender documents.';

export const PERFORMANCE: ByCategory = {
  works:
    'Progress is reported each month against the programme. Delay beyond the date for completion costs 0.5% of the price a week.',
  services:
    'Performance is reviewed each quarter: tasks completed on time, complaints answered within five working days, and the social value delivered.',
  goods: 'Orders are delivered within ten working days. Faulty goods are replaced within five.',
};

export const OPTIONS: ByCategory = {
  works: 'A second phase on the adjoining land may be ordered at the rates of the contract.',
  services: 'Further sites of the authority may be added, up to a quarter of the value of the contract.',
  goods: 'Up to a fifth more of the same goods may be ordered at the prices of the contract.',
};

export const GUARANTEES: ByCategory = {
  works: 'A performance bond of 10% of the price. A bidder that has a parent company also provides its guarantee.',
  services: 'A guarantee of the parent company where the financial checks show that one is needed.',
  goods: 'A guarantee of the parent company where the financial checks show that one is needed.',
};

const EXPERIENCE: ByCategory = {
  works:
    'Two contracts of a similar kind and size that were completed in the last five years, each with a certificate of completion.',
  services: 'Three contracts for similar services in the last three years, with a referee for each.',
  goods: 'Deliveries of similar goods to at least two public bodies in the last three years.',
};

const QUALITY = 'A quality management system that is certified to ISO 9001, or one of the same standard.';

/** What a trade may not be carried on without, by its key. */
const REGISTRATIONS: Readonly<Record<string, string>> = {
  care: 'Registration with the regulator of social care in the nation where the service is given.',
  children: 'Registration with the regulator of social care in the nation where the service is given.',
  health: 'Registration with the regulator of health care in the nation where the service is given.',
  security: 'A licence of the Security Industry Authority for each officer who is deployed.',
  waste: 'Registration as a carrier of waste, and a permit for each site that is used.',
  transport: 'An operator’s licence for public service vehicles.',
  energy: 'A licence to supply electricity or gas.',
  building_services: 'Registration with the Gas Safe Register of everybody who works on gas.',
  design: 'A lead designer who is registered with a professional body.',
};

interface Wanted {
  trade: Trade;
  net: number;
}

/** Conditions of a tender. Insurance and turnover rise with its value. */
export function conditionsOf(random: Random, { trade, net }: Wanted): Condition[] {
  const million = net > 1_000_000 ? 10 : net > 150_000 ? 5 : 2;
  const turnover = `£${(Math.ceil(net / 25_000) * 25_000).toLocaleString('en-GB')}`;
  const [isVague, asksTurnover, asksQuality] = [random.chance(0.45), random.chance(0.5), random.chance(0.4)];
  if (isVague) return (['economic', 'technical'] as const).map((type) => ({ type, description: VAGUE }));
  const registration = REGISTRATIONS[trade.key];
  return [
    ...(registration ? [{ type: 'suitability' as const, description: registration }] : []),
    {
      type: 'economic',
      description: 'Bidders hold the insurance that is listed, or undertake to hold it before the contract begins.',
      minimum: `Employer’s liability: £10 million\nPublic liability: £${million} million`,
    },
    ...(asksTurnover
      ? [
          {
            type: 'economic' as const,
            description: `An average turnover of at least ${turnover} in the last two years of accounts.`,
          },
        ]
      : []),
    { type: 'technical', description: EXPERIENCE[trade.category] },
    ...(asksQuality ? [{ type: 'technical' as const, description: QUALITY }] : []),
  ];
}
