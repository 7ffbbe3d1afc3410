import type { RequestHandler } from 'express';

/** The pages whose forms ask by GET. */
export const ASKED = ['/search', '/notices', '/tenders', '/frameworks', '/companies', '/buyers'];

/** A form sends its blank fields too: the address without them is the one to keep and to share. */
export const dropBlankFields: RequestHandler = (request, response, next) => {
  const fields = [...new URLSearchParams(request.url.split('?').slice(1).join('?'))];
  const filled = fields.filter(([, value]) => value.trim() !== '');
  if (filled.length === fields.length) return next();
  const query = new URLSearchParams(filled).toString();
  response.redirect(302, query ? `${request.path}?${query}` : request.path);
};
