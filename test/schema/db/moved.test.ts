import { expect, it } from 'vitest';
import { catalogueAt, placeOf } from '../../../schema/db/moved.ts';

const [URL, NEXT] = ['libsql://one.example', 'libsql://two.example'];

it.each([
  ['its own where it has one', { CATALOGUE_NEXT_AUTH_TOKEN: 'two' }, 'two'],
  ['that of the first server where it has none', {}, 'one'],
])('the token that a successor of a catalogue server is shown is %s', (_what, settings, token) => {
  const at = catalogueAt({ CATALOGUE_URL: URL, CATALOGUE_AUTH_TOKEN: 'one', ...settings });
  expect(placeOf(at, URL)).toMatchObject({ url: URL, authToken: 'one' });
  const next = placeOf(at, NEXT);
  expect(next).toMatchObject({ url: NEXT, authToken: token });
  expect(placeOf(next, 'libsql://three.example')).toMatchObject({ authToken: token });
});
