/** An invented place in a real region: the region codes are the official ones, the place and its postcodes do not exist. */
export interface Place {
  name: string;
  county: string;
  /** ITL level 3 code, as the services write it. */
  itl: string;
  /** Contracts Finder's name of the region. */
  region: string;
  /** Postcode district that the Post Office does not use. */
  district: string;
}

const place = (name: string, county: string, itl: string, region: string, district: string): Place => ({
  name,
  county,
  itl,
  region,
  district,
});

/** The country of the United Kingdom that a place lies in. */
export function countryOf({ region }: Place): string {
  return region === 'Scotland' || region === 'Wales' || region === 'Northern Ireland' ? region : 'England';
}

/** Places over all regions of the United Kingdom. */
export const PLACES: readonly Place[] = [
  place('Thornwick', 'Northmarch', 'UKE21', 'Yorkshire and the Humber', 'YO97'),
  place('Calderstow', 'Northmarch', 'UKE42', 'Yorkshire and the Humber', 'LS97'),
  place('Harrowmere', 'Northmarch', 'UKE32', 'Yorkshire and the Humber', 'S97'),
  place('Ravensholme', 'Ravenshire', 'UKD33', 'North West', 'M97'),
  place('Lunebeck', 'Ravenshire', 'UKD44', 'North West', 'LA97'),
  place('Merseford', 'Ravenshire', 'UKD72', 'North West', 'L97'),
  place('Penhallow Bay', 'Tamarshire', 'UKK30', 'South West', 'TR97'),
  place('Stourcombe', 'Wexmoor', 'UKK22', 'South West', 'DT97'),
  place('Wexmoor', 'Wexmoor', 'UKK15', 'South West', 'BA97'),
  place('Avonmere', 'Avonmere', 'UKK11', 'South West', 'BS97'),
  place('Amberleigh', 'Downshire', 'UKJ14', 'South East', 'OX97'),
  place('Haslemarsh', 'Downshire', 'UKJ25', 'South East', 'GU97'),
  place('Solentgate', 'Downshire', 'UKJ32', 'South East', 'SO97'),
  place('Medlow', 'Wealdshire', 'UKJ45', 'South East', 'ME97'),
  place('Ashenford', 'Wealdshire', 'UKJ22', 'South East', 'BN97'),
  place('Fenbridge', 'Fenlandshire', 'UKH12', 'East of England', 'CB97'),
  place('Yarebrook', 'Fenlandshire', 'UKH15', 'East of England', 'NR97'),
  place('Colneworth', 'Stourland', 'UKH34', 'East of England', 'CO97'),
  place('Trentholm', 'Trentshire', 'UKF14', 'East Midlands', 'NG97'),
  place('Soarbridge', 'Trentshire', 'UKF21', 'East Midlands', 'LE97'),
  place('Nenfield', 'Nenfordshire', 'UKF24', 'East Midlands', 'NN97'),
  place('Brumwell', 'Arden', 'UKG31', 'West Midlands', 'B97'),
  place('Ardenbury', 'Arden', 'UKG33', 'West Midlands', 'CV97'),
  place('Severnhope', 'Clunshire', 'UKG22', 'West Midlands', 'SY97'),
  place('Wearmouth Vale', 'Tynemarch', 'UKC14', 'North East', 'DH97'),
  place('Tynecastle', 'Tynemarch', 'UKC22', 'North East', 'NE97'),
  place('Teesgate', 'Tynemarch', 'UKC11', 'North East', 'TS97'),
  place('Lambourne Park', 'Thamesmarch', 'UKI43', 'London', 'E97'),
  place('Highmarsh', 'Thamesmarch', 'UKI71', 'London', 'N97'),
  place('Kings Weir', 'Thamesmarch', 'UKI32', 'London', 'SW97'),
  place('Norbridge', 'Thamesmarch', 'UKI62', 'London', 'CR97'),
  place('Strathallan Bridge', 'Strathmorran', 'UKM77', 'Scotland', 'PH97'),
  place('Kilmorran', 'Strathmorran', 'UKM82', 'Scotland', 'G97'),
  place('Inverglass', 'Glen Ardle', 'UKM62', 'Scotland', 'IV97'),
  place('Aberlwyd', 'Dyfnant', 'UKL14', 'Wales', 'SA97'),
  place('Caerfelin', 'Dyfnant', 'UKL22', 'Wales', 'CF97'),
  place('Lisnamore', 'Loughside', 'UKN06', 'Northern Ireland', 'BT97'),
  place('Ballydown', 'Loughside', 'UKN09', 'Northern Ireland', 'BT98'),
];

/** ITL level 1 codes of the same regions: what many notices give as the place of delivery. */
export const REGIONS: readonly (readonly [code: string, name: string])[] = [
  ['UKC', 'North East'],
  ['UKD', 'North West'],
  ['UKE', 'Yorkshire and the Humber'],
  ['UKF', 'East Midlands'],
  ['UKG', 'West Midlands'],
  ['UKH', 'East of England'],
  ['UKI', 'London'],
  ['UKJ', 'South East'],
  ['UKK', 'South West'],
  ['UKL', 'Wales'],
  ['UKM', 'Scotland'],
  ['UKN', 'Northern Ireland'],
];

export const STREETS: readonly string[] = [
  'Guildhall Lane',
  'Market Place',
  'Foundry Road',
  'Priory Street',
  'Station Approach',
  'Canal Wharf',
  'Mill Lane',
  'Cathedral Close',
  'Exchange Way',
  'Quarry Bank',
  'Orchard Rise',
  'Victoria Parade',
  'Tannery Yard',
  'Weir Side',
  'Saddlers Court',
  'Old Brewery Road',
];
