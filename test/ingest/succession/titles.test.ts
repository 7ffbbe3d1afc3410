import { describe, expect, it } from 'vitest';
import { compareTitles, publishedWords, titleWords } from '../../../ingest/succession/titles.ts';

const BUYER = 'Stourland Borough Council';
const compare = (one: string, two: string) => compareTitles(titleWords(one, BUYER), titleWords(two, BUYER));

describe('titles of one need', () => {
  it.each([
    ['Grounds Maintenance 2021-2025', 'Grounds Maintenance 2025 to 2029'],
    ['Grounds Maintenance', 'Provision of Grounds Maintenance Services (Re-tender)'],
    ['School Meals & Catering', 'SCHOOL MEALS AND CATERING CONTRACT'],
    ['CS-4021 Window Cleaning', 'Window Cleaning - CS/7712'],
    ['Stourland Borough Council - Home Care', 'Home Care for Stourland Borough Council'],
    ['GB-Stourland: Insurance Services', 'Insurance Service'],
    ['Occupational Health', 'Re-procurement of Occupational Health'],
    ['Highway Winter Maintenance April 2024', 'Highway Winter Maintenence'],
  ])('%s and %s are the same', (one, two) => {
    expect(compare(one, two)).toBe('same');
    expect(compare(two, one)).toBe('same');
  });

  it.each([
    ['Grounds Maintenance', 'Integrated Grounds Maintenance and Associated Services'],
    ['Home Care - Lot 2', 'Home Care'],
    ['Public Realm Works Framework', 'Public Realm Works'],
  ])('%s and %s are nearly the same', (one, two) => expect(compare(one, two)).toBe('near'));
});

describe('titles of different needs', () => {
  it.each([
    ['Cleaning of Quarry Bank Academy', 'Cleaning of Priory Lane Primary School'],
    ['Home Care (North)', 'Home Care (South)'],
    ['Home Care - Lot 1', 'Home Care - Lot 2'],
    ['Town Hall Refurbishment Phase 1', 'Town Hall Refurbishment Phase 2'],
    ['Cleaning', 'Cleaning of Quarry Bank Academy'],
    ['Supported Living for Adults', 'Supported Living for Children'],
  ])('%s and %s', (one, two) => expect(compare(one, two)).toBe('other'));
});

describe('what a title tells', () => {
  it.each([
    ['Leisure Activities for Young People 2024', 'Leisure Activities Young People'],
    ['GB-Stourland: Provision of Anti-Social Behaviour Services 2024-25', 'Anti-Social Behaviour'],
    ["CS-4021 Children's Residential Cafés", "Children's Residential Cafés"],
    ['Stourland Borough Council - Home Care (HOME CARE)', 'Home Care'],
  ])('of %s is said as published: %s', (title, said) =>
    expect(publishedWords(titleWords(title, BUYER)).join(' ')).toBe(said),
  );

  it.each([
    ['Consultancy Services', 0],
    ['Framework Agreement 2025', 0],
    ['Provision of IT Equipment', 0],
    ['Cleaning Services', 1],
    ['Grounds Maintenance', 1],
    ['Dry Mixed Recyclables', 3],
  ])('%s: %i words', (title, telling) => expect(titleWords(title, BUYER).distinctive).toBe(telling));

  it('keeps what a buyer is called by where nothing else is said', () => {
    expect(titleWords('Housing', 'Stourland Housing').words).toEqual(['housing']);
  });

  it('knows a change to a running contract', () => {
    expect(titleWords('Home Care - Contract Variation', BUYER).isChange).toBe(true);
    expect(titleWords('Home Care', BUYER).isChange).toBe(false);
  });
});
