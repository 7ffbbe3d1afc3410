import { expect, it } from 'vitest';
import { bandBounds } from '../../../../api/web/filters/bands.ts';
import { BAND_EDGES, bandName } from '../../../../search/documents/facets.ts';

const EDGES = BAND_EDGES.flatMap((edge) => (edge === 0 ? [0, 0.01] : [edge - 1, edge - 0.5, edge - 0.01, edge]));

it.each(EDGES)('a band leads to every value that it counts, with its pence: %d', (value) => {
  const [band = ''] = bandName(value);
  const { value_min: least = 0, value_max: most = Infinity } = bandBounds(band) ?? {};
  expect({ value, band, isFound: value >= Number(least) && value <= Number(most) }).toEqual({
    value,
    band,
    isFound: true,
  });
});
