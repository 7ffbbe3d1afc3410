import type { FrameworkLabel } from '../types.ts';

/** Labels read off the recordings, Contracts Finder, 2017 to 2021, third part: the ocid, what it is, and why in a few words of our own. */
export const MIDDLE_THIRD_LABELS: FrameworkLabel[] = [
  {
    ocid: 'ocds-b5fd17-1efcfbcd-a007-4a1b-8de3-5ea852d0b98a',
    label: 'framework',
    why: 'national agreement of a buying body',
  },
  {
    ocid: 'ocds-b5fd17-399bfdcb-a9b0-45c3-bdc9-446b2ae95af2',
    label: 'market',
    why: 'home care, a quasi purchasing system reopened quarterly',
  },
  {
    ocid: 'ocds-b5fd17-4015f452-b8b2-449f-b9bf-2adbc2adf340',
    label: 'framework',
    why: 'energy framework for the sector',
  },
  {
    ocid: 'ocds-b5fd17-465b677f-9c8b-4434-86b7-aa29cf80e1c8',
    label: 'framework',
    why: 'works for disabled residents, contractors by lots',
  },
  {
    ocid: 'ocds-b5fd17-47499d11-d0b8-46cf-b199-0cfa63b4c8f2',
    label: 'none',
    why: 'call-offs under a numbered staff framework',
  },
  { ocid: 'ocds-b5fd17-47d2f0cc-a724-4e64-b1e4-c231dddeb065', label: 'framework', why: 'print lots of a university' },
  {
    ocid: 'ocds-b5fd17-4dbe83dc-f4c9-44cd-9d14-f906a84754b6',
    label: 'none',
    why: 'quarterly expenditure on a purchasing system',
  },
  {
    ocid: 'ocds-b5fd17-52d07bc5-406e-4aba-b093-82c6c8650c1e',
    label: 'framework',
    why: "central body's energy agreement, published again",
  },
  {
    ocid: 'ocds-b5fd17-54e407b7-0673-4419-9c90-416466457aad',
    label: 'unsure',
    why: 'hygiene goods from four dealers, nothing said of orders',
  },
  {
    ocid: 'ocds-b5fd17-57d308c3-b529-460f-a359-8792732ae3a4',
    label: 'market',
    why: "children's placements, a purchasing system, first advert",
  },
  {
    ocid: 'ocds-b5fd17-5996337c-885c-46e1-8fff-c9265b5dd270',
    label: 'framework',
    why: 'road surfacing, other authorities may join',
  },
  { ocid: 'ocds-b5fd17-5f85d224-add3-4522-8ef3-e52214dd6fb4', label: 'framework', why: 'barristers, the housing lot' },
  {
    ocid: 'ocds-b5fd17-665c7cc1-378d-484b-be61-3d9aed095cc7',
    label: 'framework',
    why: 'collaborative works of a county',
  },
  {
    ocid: 'ocds-b5fd17-6b8f3dff-4e5b-411f-a637-14b113bb33c8',
    label: 'none',
    why: 'three partners deliver one aid programme',
  },
  {
    ocid: 'ocds-b5fd17-6ff08beb-a4d5-44db-b968-e5dae78bc3b5',
    label: 'framework',
    why: "health buyer's consultancy agreement",
  },
  {
    ocid: 'ocds-b5fd17-774ae751-e282-481a-8ef4-73075c36c4d0',
    label: 'unsure',
    why: 'the same naval stores, published again',
  },
  {
    ocid: 'ocds-b5fd17-7bf3b5be-2951-4e2d-af00-3da6b9b7bfca',
    label: 'framework',
    why: 'preferred list of three agencies',
  },
  {
    ocid: 'ocds-b5fd17-7d9680db-dad8-4f47-9439-0c9d76b8da2f',
    label: 'framework',
    why: 'supply teachers, preferred suppliers called off',
  },
  {
    ocid: 'ocds-b5fd17-7e2a75df-3e8d-41f5-98f5-a7882a88a14d',
    label: 'framework',
    why: "national sweepers' agreement of a district",
  },
  {
    ocid: 'ocds-b5fd17-84e72682-bbaa-4ec5-bde5-7a9850b01126',
    label: 'unsure',
    why: 'five law firms with no word of an agreement',
  },
  { ocid: 'ocds-b5fd17-8aa9f558-86eb-47bf-8fc9-908fb2b32d69', label: 'framework', why: 'building materials by lots' },
  {
    ocid: 'ocds-b5fd17-8c0305a3-376c-426d-9562-427b8acf0543',
    label: 'market',
    why: 'digital services, a purchasing system by title',
  },
  {
    ocid: 'ocds-b5fd17-8d4f7655-8273-482e-9877-1057a95a2501',
    label: 'unsure',
    why: 'associate advisers as needed, individuals',
  },
  { ocid: 'ocds-b5fd17-91882472-13ec-483a-a433-296b05c69d61', label: 'framework', why: "buying body's pool chemicals" },
  { ocid: 'ocds-b5fd17-92c0867d-ae0e-47e1-a7f8-7f22a14f73f5', label: 'none', why: 'rooms from five landlords' },
  {
    ocid: 'ocds-b5fd17-9db1e018-c186-4d25-b194-ca20b3cc4b95',
    label: 'none',
    why: 'school workshops; the framework is a strategy',
  },
  {
    ocid: 'ocds-b5fd17-a051c97d-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: "consortium's drainage agreement",
  },
  { ocid: 'ocds-b5fd17-a88ed6c7-47ac-47bb-aa61-bec50b38fba8', label: 'framework', why: 'barristers, the civil lot' },
  {
    ocid: 'ocds-b5fd17-aab03cff-5daf-4204-b48c-3bdbba011b79',
    label: 'none',
    why: 'call for offers inside a purchasing system',
  },
  { ocid: 'ocds-b5fd17-b1a6447e-1971-4135-8de6-f9b3a058f898', label: 'framework', why: 'trees in lots from nurseries' },
  { ocid: 'ocds-b5fd17-b7f761bd-0f2c-444a-bd8f-a1c4b5bd1d54', label: 'none', why: 'insurance lots' },
  {
    ocid: 'ocds-b5fd17-bb4194dc-5b8d-4bf5-a9d0-afc130c22744',
    label: 'framework',
    why: 'minor works list open to schools',
  },
  {
    ocid: 'ocds-b5fd17-bf659faa-5311-4be4-a3ec-83612b37d5d7',
    label: 'none',
    why: 'plant for colleges, a contract of three',
  },
  {
    ocid: 'ocds-b5fd17-bff3687f-5abf-4408-9489-a5fead1cb6f3',
    label: 'framework',
    why: 'boards for fire services of the country',
  },
  { ocid: 'ocds-b5fd17-c8be0bbc-3bcb-4a18-96de-d77efc7cd61e', label: 'none', why: 'four centres, four bodies' },
  {
    ocid: 'ocds-b5fd17-d07522c6-464e-4646-a833-0ef531c232a5',
    label: 'none',
    why: 'call-off from a lot of a legal panel',
  },
  {
    ocid: 'ocds-b5fd17-d72762d9-d49d-413b-9e1f-99e1b3b5430d',
    label: 'none',
    why: 'quotation for one healthy living service',
  },
  { ocid: 'ocds-b5fd17-d8aeb2c4-c92e-4c37-8180-cdb95acb7fe4', label: 'none', why: 'maintenance contracts by trade' },
  {
    ocid: 'ocds-b5fd17-decbecd2-f069-4777-96a4-5058ef7cb761',
    label: 'framework',
    why: "health buyer's goods agreement",
  },
  {
    ocid: 'ocds-b5fd17-e21ec4d9-b6ff-4c23-a70d-889526ac3c20',
    label: 'unsure',
    why: 'taxis of five firms, a call-off contract or an agreement',
  },
  {
    ocid: 'ocds-b5fd17-e8c042e1-d528-4ec9-9d98-e29595ae976a',
    label: 'framework',
    why: "university caterers' renewed agreement",
  },
  {
    ocid: 'ocds-b5fd17-eef3ac2f-9d03-4232-8c55-128c8d789ecc',
    label: 'none',
    why: "bought outside the council's own framework",
  },
  { ocid: 'ocds-b5fd17-f8a70c96-3b6e-4905-9c13-ba254d33b1b4', label: 'framework', why: 'multiple surveyors appointed' },
  {
    ocid: 'ocds-b5fd17-fa9f5858-92ef-47c8-bc76-0ca286b197b3',
    label: 'unsure',
    why: 'thirteen drain firms for one highway authority',
  },
];
