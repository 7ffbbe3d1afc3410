import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';

/** Beyond this a page takes much longer to compress and gets little smaller. */
const BROTLI_QUALITY = 4;

/**
 * Compresses what is the same for everybody. A page of one person holds secrets beside what others may choose, and its
 * compressed size would tell of them: such a page is sent as it is.
 */
export const compressShared: RequestHandler = compression({
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  filter: (request, response) =>
    !String(response.getHeader('Cache-Control')).includes('private') && compression.filter(request, response),
});
