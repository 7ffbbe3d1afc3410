import type { RequestHandler } from 'express';
import { withQuery } from '../components/links.ts';
import { BAND_FIELD, bandBounds, isBandBound } from '../filters/bands.ts';
import { isMultiValue } from '../filters/values.ts';

/** Pages with GET forms. */
export const ASKED = ['/search', '/notices', '/tenders', '/frameworks', '/companies', '/buyers'];

/**
 * Redirects a submitted form to its clean address, to keep and share:
 * without blank fields, with the values of each filter in one list, and with the bounds of a band.
 */
export const cleanAddress: RequestHandler = (request, response, next) => {
  const fields = [...new URLSearchParams(request.url.split('?').slice(1).join('?'))];
  const filled = fields.filter(([, value]) => value.trim() !== '');
  const joined = withBand(joinValues(filled));
  if (filled.length === fields.length && String(filled) === String(joined)) return next();
  response.redirect(302, withQuery(request.path, joined));
};

type Field = [name: string, value: string];

/** Joins the repeated fields of each multi-value filter at the place of the first. */
function joinValues(fields: readonly Field[]): Field[] {
  const of = (name: string) => fields.flatMap(([other, value]) => (other === name ? [value.trim()] : []));
  return fields.flatMap(([name, value], at): Field[] => {
    if (!isMultiValue(name)) return [[name, value]];
    const isFirst = fields.findIndex(([other]) => other === name) === at;
    const values = of(name);
    return isFirst ? [[name, values.length > 1 ? [...new Set(values)].join(',') : value]] : [];
  });
}

/** Replaces bounds by those of a band. */
function withBand(fields: readonly Field[]): Field[] {
  const band = fields.find(([name]) => name === BAND_FIELD)?.[1];
  if (band === undefined) return [...fields];
  const bounds = bandBounds(band);
  const others = fields.filter(([name]) => name !== BAND_FIELD && !(bounds && isBandBound(name)));
  return [...others, ...Object.entries(bounds ?? {})];
}
