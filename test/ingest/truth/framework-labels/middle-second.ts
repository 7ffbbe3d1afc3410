import type { FrameworkLabel } from '../types.ts';

/** Labels read off the recordings, Contracts Finder, 2017 to 2021, second part: the ocid, what it is, and why in a few words of our own. */
export const MIDDLE_SECOND_LABELS: FrameworkLabel[] = [
  { ocid: 'ocds-b5fd17-f3cc402e-fc27-41d0-9c4b-4bd69ae978a6', label: 'framework', why: "landlord's facade firms" },
  { ocid: 'ocds-b5fd17-fa3ea97c-f3a8-4252-b87b-38e41ebd15d7', label: 'none', why: 'one project of two partners' },
  { ocid: 'ocds-b5fd17raw-0054a4e6-0715-42c6-9109-e219fe9d3289', label: 'none', why: 'two lots of one event' },
  { ocid: 'ocds-b5fd17raw-06e2eeae-6a8c-4abe-9d31-864dfdfe00a3', label: 'framework', why: 'asbestos advisers by lots' },
  { ocid: 'ocds-b5fd17raw-09e6e811-41bd-4218-b9d3-15d8f6509291', label: 'none', why: 'a yearly call-off' },
  {
    ocid: 'ocds-b5fd17raw-0f8a3b2e-bc22-48c6-bf2d-2e8c1f5e04a8',
    label: 'framework',
    why: 'responsive works in thirteen lots',
  },
  {
    ocid: 'ocds-b5fd17raw-1c07cba3-fd8e-4632-8242-8971026d738b',
    label: 'none',
    why: 'quarterly spend on fuel, published afterwards',
  },
  {
    ocid: 'ocds-b5fd17raw-20d1e3f9-4570-41c3-b74a-a67eb12823a3',
    label: 'framework',
    why: "landlord's aftercare firms",
  },
  {
    ocid: 'ocds-b5fd17raw-24a41253-ebd4-4bd0-83a8-cfb05c4b8acd',
    label: 'framework',
    why: "central body's agreement, RM number",
  },
  {
    ocid: 'ocds-b5fd17raw-25566a57-c42c-46fb-a6b0-68dd456039bc',
    label: 'none',
    why: 'emergency purchase from fourteen makers',
  },
  {
    ocid: 'ocds-b5fd17raw-2a971fec-bc5d-40a7-b61f-7d338794056a',
    label: 'none',
    why: "further competition under another body's market",
  },
  {
    ocid: 'ocds-b5fd17raw-2df9b79a-b549-4795-88b6-64a819819f27',
    label: 'none',
    why: 'five researchers for one project',
  },
  {
    ocid: 'ocds-b5fd17raw-3227e9c8-1e7c-487f-ac15-416a1264e925',
    label: 'framework',
    why: 'trades framework of sixty-nine firms',
  },
  {
    ocid: 'ocds-b5fd17raw-35911480-72c2-494d-80a9-7ebdcf6cfe56',
    label: 'framework',
    why: "landlord's heating unit makers",
  },
  {
    ocid: 'ocds-b5fd17raw-3eb9ea97-8da1-4da7-bed9-8b155663c3f0',
    label: 'none',
    why: 'one hospital service by two charities',
  },
  {
    ocid: 'ocds-b5fd17raw-46f35718-d827-4699-b56e-88b2ed6a3138',
    label: 'framework',
    why: 'provider agreement that others keep joining, competed later',
  },
  {
    ocid: 'ocds-b5fd17raw-47ed1c02-9720-4542-90e5-2605792d11a7',
    label: 'none',
    why: 'one leaflet round, two firms named',
  },
  {
    ocid: 'ocds-b5fd17raw-4b6e8e70-4f3d-4967-9e79-226af65080b9',
    label: 'framework',
    why: 'approved list of reviewing officers',
  },
  {
    ocid: 'ocds-b5fd17raw-56aecdd9-b2a0-42ed-92d6-6de7776b508d',
    label: 'unsure',
    why: 'protective clothing from five firms, perhaps an agreement',
  },
  {
    ocid: 'ocds-b5fd17raw-60c8abce-5c24-4443-8271-ba752ed51223',
    label: 'framework',
    why: 'consultants in three lots, open to other landlords',
  },
  {
    ocid: 'ocds-b5fd17raw-65397bb5-8424-4f5c-a9b0-61909bff97ff',
    label: 'none',
    why: 'small digital jobs under a grant project',
  },
  { ocid: 'ocds-b5fd17raw-6a1a5224-f2ec-4b42-ae64-4148374ad38e', label: 'none', why: 'solar lots of one installation' },
  { ocid: 'ocds-b5fd17raw-7054159f-6a18-4663-b3f0-95c7c77f6cab', label: 'none', why: 'grounds lots to two firms' },
  {
    ocid: 'ocds-b5fd17raw-75eaaf37-f36a-47df-b4ce-bb314f4342e8',
    label: 'framework',
    why: "a lot added to an established consultants' framework",
  },
  {
    ocid: 'ocds-b5fd17raw-77e378c9-de27-4962-a3e6-ae73ff65f37b',
    label: 'none',
    why: 'an audit and a study in two lots',
  },
  {
    ocid: 'ocds-b5fd17raw-7b82ccd8-c8b8-4a99-bbf2-7622bf3062f1',
    label: 'framework',
    why: 'unranked national agreement',
  },
  {
    ocid: 'ocds-b5fd17raw-7c4fff5d-f67a-4b9e-8f00-926a366f0b24',
    label: 'framework',
    why: "central body's lot, RM number",
  },
  { ocid: 'ocds-b5fd17raw-7e84a00d-78a5-4921-a779-9a1deb2153a8', label: 'none', why: 'quarterly spend on fuel' },
  {
    ocid: 'ocds-b5fd17raw-88b8ba25-1773-46b0-b5a5-37a8e3c1097a',
    label: 'market',
    why: 'national purchasing system of a hospital',
  },
  {
    ocid: 'ocds-b5fd17raw-9c26b900-06ef-4059-8332-7db676c30b8d',
    label: 'none',
    why: 'further competition under a central framework',
  },
  { ocid: 'ocds-b5fd17raw-a361819c-b252-4d70-8143-649143a77d61', label: 'none', why: 'urgent masks from two firms' },
  {
    ocid: 'ocds-b5fd17raw-a58e338a-2e9e-4e8a-beb3-59b4702bac8a',
    label: 'unsure',
    why: 'fourteen coaches under one value, no word of an agreement',
  },
  {
    ocid: 'ocds-b5fd17raw-afa9333d-69a7-4548-ae0f-84d5c9c81a40',
    label: 'framework',
    why: 'two or more agreements for panels that are solar',
  },
  {
    ocid: 'ocds-b5fd17raw-b34dca0d-b833-409e-ad68-99f6690e1e79',
    label: 'framework',
    why: 'agreement for approved organisations',
  },
  {
    ocid: 'ocds-b5fd17raw-b6fbf6c3-b78a-49f7-9588-c41c14518d29',
    label: 'framework',
    why: "buying body's bag agreement",
  },
  {
    ocid: 'ocds-b5fd17raw-bfa891ee-b827-4add-8080-3dece519f180',
    label: 'none',
    why: 'lighting commissions for single places',
  },
  {
    ocid: 'ocds-b5fd17raw-cb929cce-d54f-4789-b8bf-30cd2ab51f32',
    label: 'none',
    why: "four bailiffs taken through another body's market",
  },
  {
    ocid: 'ocds-b5fd17raw-dcd59fb3-0087-4b1f-9472-63fd3634b176',
    label: 'unsure',
    why: 'a small purchasing system, or a call on one',
  },
  { ocid: 'ocds-b5fd17raw-e15aeca8-e49f-4ec6-82f0-d1392da45bec', label: 'none', why: 'community grants by groups' },
  {
    ocid: 'ocds-b5fd17raw-e2f60cb5-4d21-44d6-88d6-ed27aeaf85dc',
    label: 'framework',
    why: 'business support of twenty-two firms',
  },
  {
    ocid: 'ocds-b5fd17raw-f1e0c61f-4f04-4b29-b36c-993d56bdc184',
    label: 'framework',
    why: 'transport advice, the awarded agreement',
  },
  {
    ocid: 'ocds-b5fd17raw-f86ed34c-77aa-4091-ad72-f9926a9a2ce1',
    label: 'framework',
    why: "landlords' general building list",
  },
  {
    ocid: 'ocds-b5fd17raw-f96b543a-d816-4d43-a490-937782df3f51',
    label: 'framework',
    why: "landlord's ventilation makers",
  },
  {
    ocid: 'ocds-b5fd17-008e7376-6d53-4e59-892b-8abf09a0470e',
    label: 'framework',
    why: 'a provider panel with competed call-offs',
  },
  { ocid: 'ocds-b5fd17-081255f0-bc18-4907-98dd-0bc24385e89a', label: 'framework', why: 'barristers, one lot of eight' },
  { ocid: 'ocds-b5fd17-123d0e1c-8f94-42f0-bd10-ab31d532354b', label: 'none', why: 'a bulk of road jobs' },
  {
    ocid: 'ocds-b5fd17-16089661-35c5-46ab-a633-db4241a717c7',
    label: 'market',
    why: 'apprenticeship list that providers join by a purchasing system',
  },
  {
    ocid: 'ocds-b5fd17-19f021b6-3c51-4d63-b399-3c5c4f20d2c5',
    label: 'unsure',
    why: 'pens from eight dealers for one council, nothing said of orders',
  },
];
