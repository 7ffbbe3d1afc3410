import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../../ingest/compile/facts/options.ts';

const tell = (text: string, isField: boolean) => {
  const read = readOptions(text, isField);
  return read && (read.initial === undefined ? read.months : [read.initial, read.months]);
};

describe('a field for extensions', () => {
  it.each([
    ['two further periods of 12 months', 24],
    ['Three optional twelve (12) month periods', 36],
    ['2 x optional 12-month extensions', 24],
    ['May be extended by up to 24 months.', 24],
    ['Extendable for a further year', 12],
    ['a 3 year extension', 36],
    ['Up to 12 months on two separate occasions, by way of extension', 24],
    ['Two extensions of 3 and 2 years', 60],
    ['Option to extend for a further 1+1 years', 24],
    ['An extension of 2 years, followed by another of 1 year', 36],
    ['2 + 1 + 1 years', [24, 24]],
    ['Initial term of 36 months with two optional extensions of 12 months each, to a maximum of 60 months', [36, 24]],
    ['Two additional, individual extension periods of up to 12-months each.', 24],
    ['Option to extend for up to 24 months in 2 x 12 month intervals', 24],
    ['Option to extend for up to 3 years in three one year extensions', 36],
    ['Option to extend up to 36 months in 12 month extensions', 36],
    ['Option to extend for a further two years, comprising two additional 12-month extension periods', 24],
    ['3*12 months optional extension', 36],
    ['Option to extend by 12 months value £10,000', 12],
    [
      'It will continue for a period of 12 months until 30 June 2030. It may be extended by up to 2 periods of 12 months.',
      [12, 24],
    ],
    ['The option to extend runs for 12 months. It lasts for 36 months otherwise.', [36, 12]],
    ['Option to extend by up to 24 months after the initial 36 month contract period.', [36, 24]],
    ['Option to extend by 12 months. Once extended, the contract lasts for 12 months.', 12],
    ['Extension of 12 months. The supplier is given three months’ notice of it.', 12],
    [
      'Up to four periods of 12 months. It may be extended by one, two, or four years, as consecutive annual extensions.',
      48,
    ],
    ['Possible extension of 12 months (no further extension)', 12],
    ['12 month extension x 2', 24],
    ['12 months (x2)', 24],
    ['Extension periods: 1 year x 3 extensions.', 36],
    ['There will be two (2) separately exercisable options of 12 months each', 24],
    ['+1,+1', 24],
    ['+1 year + 1 year', 24],
    ['+ 2 years', 24],
    ['On a +1, +1 basis after the initial period of 3 years', [36, 24]],
    ['An additional 3 years on a +1,+1,+1 basis', 36],
    ['One or more further periods, up to a maximum additional term of four years in total', 48],
    ['up to a further 24 months', 24],
    ['Two optional annual extensions', 24],
    ['Option to extend for a further 12 months, to a maximum contract term of 4 years', [36, 12]],
    ['With all extensions the initial contract term will be 36 months, plus 12 months plus 12 months', [36, 24]],
    ['Initial term of 3 years with an option to extend by 24 months, not to be extended beyond 60 months', [36, 24]],
    ['The initial term not including extensions is 3 years with an option to extend for a further 2 years', [36, 24]],
    ['The contract will run for 3 years, excluding any extension of up to 2 years', [36, 24]],
    ['An option to extend for 12 months but no extension beyond 60 months', 12],
    ['Option to extend beyond the initial term of 2 years for a further 2 years', [24, 24]],
    ['Option to extend the 3 year contract by 2 years', 24],
    ['Option to extend the initial term of 3 years for up to 2 further years', [36, 24]],
    ['It may be extended by up to another 24 months, save that no single extension is less than 6 months', 24],
    ['The initial term excluding extensions is 3 years, with an option to extend for a further 2 years', [36, 24]],
    ['It is for 36 months, not including extensions of up to 24 months', [36, 24]],
    ['The contract is for 4 years including a one year extension', [36, 12]],
    ['The contract is for 3 years including an option to extend for a further 2 years', [36, 24]],
    ['5 years with two optional 1 year extensions', [60, 24]],
    ['The maximum period for which the contract may be extended is 24 months', 24],
    ['The extension period, if taken up, will be 12 months', 12],
    ['It may be extended for 3 months. The maximum term, including the extension period, will be 21 months', 3],
    ['Renewable annually for up to a further 4 years', 48],
    ['It may be renewed every year for up to 3 additional years', 36],
    ['Initial 12 months, renewable annually for up to a further 3 years', [12, 36]],
    ['Renewable annually for up to 3 years after the initial 2 years', [24, 36]],
    ['An initial 2 years, renewable annually for 2 years thereafter', [24, 24]],
    ['An initial 2 years, renewable annually thereafter for up to 3 years', [24, 36]],
    ['Extendable annually for up to 2 years', 24],
    ['Option to extend for further 84 months renewable on an annual basis', 84],
    ['The option to extend by 24 months has been removed. It may be extended by 12 months.', 12],
    ['The cap has been removed, and the contract may be extended by 24 months', 24],
    ['Option to extend by 24 months, unless removed', 24],
    ['The option to extend by 12 months is not automatic', 12],
    ['The option to extend by 24 months has been exercised', 24],
    ['Option to extend for 12 months (50 per cent of the initial term of 24 months)', [24, 12]],
    ['Option to extend for 12 months at 95 percent of the price', 12],
  ])('"%s" says it', (text, expected) => {
    expect(tell(text, true)).toEqual(expected);
  });

  it.each([
    ['12 months'],
    ['48 months in total'],
    ['1 + 1'],
    ["12 months' notice"],
    ["The buyer may renew; 3 months' notice is given"],
    ['Up to 24 months in total including any extension'],
    ['Up to a maximum term of 5 years including extensions'],
    ['A 12 month defects period follows completion'],
    ['A one year extension has already been used'],
    ['Option for visits every 12 months x 2 engineers'],
    ['24 months warranty with an optional extended warranty of 12 months'],
    ['Optional maintenance at the end of the 5 year guarantee'],
    ['Invoices are paid within 30 days; rates are reviewed every 12 months'],
    ['Option to extend for 12 or 24 months'],
    ['Additional one year extensions'],
    ['Option of 12 month extensions'],
    ['Extension of 12 months for up to 24 months'],
    ['Several extension periods of up to 12 months each'],
    ['In 12 month extensions'],
    ['It may be extended until 30 June 2031, in successive one-year increments.'],
    ['It may be extended on two occasions, for up to 1 year on each occasion'],
    ['Additional frameworks may follow at 2-year intervals.'],
    ['Additional headroom to grow by up to 25% of the total 7-year contract value was agreed.'],
    ['Potential renewal in 4 years'],
    ['Renewed annually'],
    ['As described in the procurement documents'],
    ['The licences may be renewed for 3 years'],
    ['Call-off contracts may be extended by 12 months'],
    ['The term of each call-off may be extended by 12 months'],
    ['The first extension is of 12 months. The second extension is of 6 months.'],
    ['Up to two extensions of 12 months, ending not later than 31 March 2031'],
    ['The option to buy a further 12 months of spare parts or 24 months of tyres'],
    ['An initial term of 12 months, with an option to extend incrementally for up to a total of 48 months'],
    ['Extension option 1: 2 years\nExtension option 2: 2 years'],
    ['May be extended to a total including extensions of 60 months'],
    ['Annual extensions up to 2030'],
    ['An annual option to extend'],
    ['Construction + 12 months defects liability period'],
    ['Servers + 5 years of support'],
    ['CPI +1, +1'],
    ['There is no option to extend beyond the 48 months'],
    ['The contract will not be extended beyond 24 months'],
    ['The maximum term excluding extensions of 4 years'],
    ['The overall term excluding extension options is 48 months'],
    ['Total term not including extensions of 36 months'],
    ['Maximum term plus extension of 5 years'],
    ['The maximum duration of the contract, including all extensions, is 7 years'],
    ['Total contract term (including extensions): 84 months'],
    ['The contract is for 5 years. The total term including all extensions is 7 years.'],
    ['The maximum term of the framework, if all extensions are taken up, is 8 years'],
    ['With extensions the contract could run for 10 years'],
    ['The initial term excluding the option to extend is 24 months'],
    ['It is not anticipated that the contract will be extended beyond 4 years'],
    ['There are no plans to extend the 3 year contract'],
    ['It may be extended for up to a further 24 months, with options for up to 12 months'],
    ['12 months then a further 12 months'],
    ['3 years with an option to extend to 5 years'],
    ['Option to extend the contract to 7 years'],
    ['It may be extended to up to 60 months'],
    ['Option to extend the initial period of 3 years up to a maximum of 5 years'],
    ['Option to extend the 12 month period to 24 months'],
    ['Call +44 1632 960123 +1 for more'],
    ['12 months +22 days'],
    ['Renewable annually for up to 4 years'],
    ['Renewable annually, following review, for up to 4 years'],
    ['Renewable annually for up to 5 years, after which it will be tendered'],
    ['Renewable annually thereafter up to a maximum of 5 years'],
    ['Options to renew each year for two years following the initial term of 3 years'],
    ['An initial term of 1 year, renewed each year up to a maximum of 4 years'],
    ['Renewable on an annual basis, for up to four years in total'],
    ['It may be extended by up to fifty percent of the term of 24 months'],
    ['Option to extend for up to 50% of the original contract period of 4 years'],
    ['The option by 24 months has been removed'],
    ['The 12 month extension option is no longer available'],
    ['The option to extend by 12 months will not be taken up'],
  ])('"%s" says nothing that may be counted on', (text) => {
    expect(tell(text, true)).toBeNull();
  });
});

describe('a description', () => {
  it.each([
    ['The contract is for 3 years with an option to extend for a further 2 years.', [36, 24]],
    [
      'Cleaning of depots. Initial term: 24 months. The council may extend it by up to 2 periods of 12 months.',
      [24, 24],
    ],
    ['A four year contract with the option of extending by 12 months, 5 years in total.', [48, 12]],
  ])('"%s" states the term and its extension', (text, expected) => {
    expect(tell(text, false)).toEqual(expected);
  });

  it.each([
    ['The contract is for 3 years.'],
    ['Loft extensions and renewal of windows over 2 years.'],
    ['The current contract, for 3 years, was extended by 12 months.'],
    ['The deadline may be extended by one month.'],
    ['The contract is for 3 years with an option to extend for 2 years, 6 years in total.'],
    ['Telephone extension 2142, open 12 months a year.'],
  ])('"%s" says nothing that may be counted on', (text) => {
    expect(tell(text, false)).toBeNull();
  });

  it('that is very long takes no longer than a glance', () => {
    const long = 'option to extend by 12 months and 1+1+1 years '.repeat(5_000);
    expect(readOptions(long, true)).toBeNull();
    expect(readOptions(`${'9 x 9 '.repeat(9_000)}months extension`, true)).toBeNull();
  });
});
