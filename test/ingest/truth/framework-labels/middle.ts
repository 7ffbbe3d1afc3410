import type { FrameworkLabel } from '../types.ts';

/** Labels read off the recordings, Contracts Finder, 2017 to 2021, first part: the ocid, what it is, and why in a few words of our own. */
export const MIDDLE_LABELS: FrameworkLabel[] = [
  {
    ocid: 'ocds-b5fd17-0245cc95-f843-4803-acb7-3bfb1314707f',
    label: 'unsure',
    why: 'one lot of naval stores with three firms, how orders go is unsaid',
  },
  {
    ocid: 'ocds-b5fd17-0ac9f3a6-83f4-4f8a-874c-f927b48d445c',
    label: 'framework',
    why: "national contractors' framework, awarded",
  },
  {
    ocid: 'ocds-b5fd17-0c8a03bf-dcb1-4978-a59f-0fd7c364d7dd',
    label: 'framework',
    why: "central body's agreement with a ceiling",
  },
  { ocid: 'ocds-b5fd17-10bff1af-44b7-445c-9982-092fe6192fac', label: 'none', why: 'grants to four partners' },
  {
    ocid: 'ocds-b5fd17-1626f6c1-9ead-457b-82ca-6726b17b820e',
    label: 'none',
    why: 'one service by a group of charities',
  },
  { ocid: 'ocds-b5fd17-1d95db75-248a-4d55-90cc-2220e63a93fb', label: 'none', why: 'two sweeper lots to two makers' },
  {
    ocid: 'ocds-b5fd17-203a6f2d-cb5a-41fe-b686-a7636f86b9ee',
    label: 'framework',
    why: "landlord's architects, call-offs later",
  },
  {
    ocid: 'ocds-b5fd17-2a947edd-2093-41b2-82d9-6c2875cf8dc8',
    label: 'unsure',
    why: 'three firms as back-up for void works, nothing said of how work is given',
  },
  {
    ocid: 'ocds-b5fd17-3299a22f-a6ff-47d2-a46a-de479904c9b4',
    label: 'unsure',
    why: 'hire from three firms as needed, no word of an agreement',
  },
  {
    ocid: 'ocds-b5fd17-37c3e9ae-381b-4b19-b62d-76d180d9900d',
    label: 'framework',
    why: "buying body's agreement for managed agencies",
  },
  { ocid: 'ocds-b5fd17-3dd5fb6f-40c2-4e79-b038-d2f94b04d7ee', label: 'none', why: 'one service by two providers' },
  {
    ocid: 'ocds-b5fd17-419da2e7-9e97-4716-9f61-39d1f456f27c',
    label: 'none',
    why: 'a batch of bus routes, each to its firm',
  },
  {
    ocid: 'ocds-b5fd17-435f2a3b-1f9f-4783-ad53-06522d37a2e9',
    label: 'unsure',
    why: 'three search firms as needed, no word of a panel',
  },
  { ocid: 'ocds-b5fd17-47e17ed6-f3b9-484f-a0e4-124526902982', label: 'framework', why: 'named so, five lots' },
  { ocid: 'ocds-b5fd17-4bc3ebef-ad3c-4795-8838-f0ffaa12825a', label: 'none', why: 'two lots, two contracts' },
  { ocid: 'ocds-b5fd17-54675cec-4ac4-4689-b4c6-9fdf369d6d10', label: 'none', why: 'community lots, a service each' },
  {
    ocid: 'ocds-b5fd17-5b60bc1d-52a8-4138-bb81-dc9f9db8038e',
    label: 'framework',
    why: "landlord's trades, call-offs later",
  },
  {
    ocid: 'ocds-b5fd17-623b6c7a-f944-4ccc-b325-e22ae4b1a54d',
    label: 'framework',
    why: 'furniture agreement of four firms',
  },
  {
    ocid: 'ocds-b5fd17-64510c99-4a81-4f2f-a041-02a3d0f5df4d',
    label: 'framework',
    why: 'a property panel of fourteen firms',
  },
  {
    ocid: 'ocds-b5fd17-79257c5b-4620-4968-9164-a19c2386386d',
    label: 'framework',
    why: 'award of a framework for equipment',
  },
  {
    ocid: 'ocds-b5fd17-7a552431-aa50-41e4-9a4f-d0fbd2738b35',
    label: 'none',
    why: 'mini-competition out of an existing framework',
  },
  { ocid: 'ocds-b5fd17-7e38403f-737a-4076-b8c7-349f0a02e7b6', label: 'none', why: 'grant programme in four areas' },
  {
    ocid: 'ocds-b5fd17-80c4bb03-8f70-40a7-ad32-1772db6ac4f6',
    label: 'framework',
    why: "buying body's agreement for offices",
  },
  {
    ocid: 'ocds-b5fd17-8691cef9-5ddd-4351-ae1a-2fa8551ba844',
    label: 'framework',
    why: 'a framework of equipment makers',
  },
  {
    ocid: 'ocds-b5fd17-878e9aa7-121d-45dc-8526-24f1a3f4a071',
    label: 'framework',
    why: 'national multi-supplier agreement of a hospital',
  },
  {
    ocid: 'ocds-b5fd17-8db36c3d-c6e8-4567-980c-cf4c536183c3',
    label: 'unsure',
    why: 'eleven firms in two lots under one large value, no word of an agreement',
  },
  {
    ocid: 'ocds-b5fd17-8ed73bb3-06bf-4509-8f56-5a0775cd2552',
    label: 'unsure',
    why: 'three valuers as needed, nothing else said',
  },
  {
    ocid: 'ocds-b5fd17-974aeab2-3ad5-472c-a543-485c13a74447',
    label: 'framework',
    why: "buying body's bread agreement",
  },
  {
    ocid: 'ocds-b5fd17-97d86738-8cba-4bc5-8446-592b40dee7f4',
    label: 'market',
    why: 'skips, a purchasing system with further rounds',
  },
  { ocid: 'ocds-b5fd17-a29fb718-eada-4686-b157-88ebf7787157', label: 'none', why: 'abuse services in two lots' },
  {
    ocid: 'ocds-b5fd17-a6d2b54e-87a6-4c92-88f2-c0c23dd10eb3',
    label: 'none',
    why: 'named after an inspection framework',
  },
  {
    ocid: 'ocds-b5fd17-aa7cec19-304d-47b0-9c19-3a3ecf09ca6b',
    label: 'framework',
    why: "landlord's first legal framework, open to others",
  },
  { ocid: 'ocds-b5fd17-ab6aa074-eb28-4367-b4ed-107b8b56d1df', label: 'framework', why: "a university's law firms" },
  {
    ocid: 'ocds-b5fd17-b136fb0f-576c-4051-be47-62fc76902aca',
    label: 'framework',
    why: 'advice to farmers, ten bodies',
  },
  {
    ocid: 'ocds-b5fd17-b3e8cade-5b55-425f-8e25-495eeb0c334e',
    label: 'framework',
    why: "landlord's publicity agencies",
  },
  { ocid: 'ocds-b5fd17-b63f56e0-dd0f-4e2f-8082-977dc87f9f2e', label: 'none', why: 'path works by two firms' },
  { ocid: 'ocds-b5fd17-b86bd4e4-477d-46b0-8228-b0cf24d3bde8', label: 'none', why: 'two lots, two charities' },
  {
    ocid: 'ocds-b5fd17-c0faffe2-6495-4e68-b782-61b8c97b0c0c',
    label: 'framework',
    why: 'named so, three technical firms',
  },
  {
    ocid: 'ocds-b5fd17-c31300ce-fcb3-47c0-a468-7bb747498ea3',
    label: 'unsure',
    why: "ten water firms beside one contract's description",
  },
  {
    ocid: 'ocds-b5fd17-c830638a-8523-4340-b6bf-3214d02abc03',
    label: 'framework',
    why: "central body's energy agreement",
  },
  {
    ocid: 'ocds-b5fd17-ced61877-e508-4676-a873-07f8007910d8',
    label: 'framework',
    why: 'weight services under an agreement of three',
  },
  {
    ocid: 'ocds-b5fd17-cfd64d09-3a94-458e-8093-02f93964e525',
    label: 'market',
    why: "a purchasing system's lot, though also called a framework",
  },
  {
    ocid: 'ocds-b5fd17-d16f16a2-b957-40f3-a58f-5c6b6a43aea5',
    label: 'framework',
    why: 'training providers appointed by lots',
  },
  {
    ocid: 'ocds-b5fd17-d4af4169-ec9f-4b88-8861-5d25919012cd',
    label: 'framework',
    why: 'lifting aids, up to four firms a lot',
  },
  { ocid: 'ocds-b5fd17-d678c08e-2725-4ac6-9e61-683372e524b3', label: 'framework', why: 'agreements with pharmacies' },
  {
    ocid: 'ocds-b5fd17-e0834d76-56de-4d54-99a6-c598f030c812',
    label: 'framework',
    why: 'twenty-three care organisations',
  },
  { ocid: 'ocds-b5fd17-e8a21a63-0b5c-41d1-9c18-72ec450889f9', label: 'framework', why: 'national training agreement' },
  {
    ocid: 'ocds-b5fd17-ecfc0234-b9f7-41d8-b56f-c93beeedcdfa',
    label: 'market',
    why: "children's placements, a purchasing system",
  },
];
