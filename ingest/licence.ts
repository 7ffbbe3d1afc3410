/** The Open Government Licence, with the attribution it asks for where the publisher words none. */
export const OGL = {
  licence: 'Open Government Licence v3.0',
  licenceUrl: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
  attribution: 'Contains public sector information licensed under the Open Government Licence v3.0.',
};
