import { ATTRIBUTION, LICENCE, LICENCE_URL } from '../schema/reference/licence.ts';

/** The Open Government Licence, with the attribution it asks for where the publisher words none. */
export const OGL = { licence: LICENCE, licenceUrl: LICENCE_URL, attribution: ATTRIBUTION };
