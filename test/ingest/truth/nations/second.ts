/** Further buyers, written once the rule had met the first set: fields as there. */
export const SECOND = `
england|Hereford Sixth Form College|HR1 1LU|Hereford|||
wales|Glasbury-on-Wye Community Council|HR3 5LH|Glasbury|Wales||
england|Whitchurch Town Council|SY13 1LX|Whitchurch|England|UKG22|
wales|Hanmer Community Council|SY13 3DE|Hanmer||UKL23|
england|Malpas Parish Council|SY14 8NN|Malpas||UKD63|
england|Ludlow Town Council|SY8 1AS|Ludlow|||
wales|Newtown and Llanllwchaiarn Town Council|SY16 2NZ|Newtown|United Kingdom||
wales|Hafren Dyfrdwy Cyfyngedig|LL14 4EH|Wrexham|Wales||
england|Holy Island Development Trust|TD15 2SR|Berwick-upon-Tweed|England||
scotland|Eildon Housing Association|TD7 5ER|Selkirk|||
england|Carlisle College|CA1 1HS|Carlisle|United Kingdom|UKD11|
scotland|Wheatley Homes South|DG1 3DW|Dumfries||UKM92|
northern_ireland|South Eastern Regional College|BT20 4TF|Bangor||UKN09|
wales|Bangor University|LL57 2DG|Bangor|||
northern_ireland|Belfast Harbour Commissioners|BT1 3AL|Belfast|Northern Ireland|UKN06|
northern_ireland|Department for Communities|BT7 2JB|Belfast|United Kingdom|UKN06|
northern_ireland|Department of Health (Northern Ireland)|||||
northern_ireland|Translink|BT1 5GS|Belfast|||
scotland|Student Awards Agency Scotland|EH12 9HH|Edinburgh|||
scotland|Office of the Scottish Charity Regulator|DD1 4NY|Dundee|United Kingdom||
scotland|Scottish Fire and Rescue Service|ML3 9HQ|Hamilton|||UKM
scotland|Loch Lomond & The Trossachs National Park Authority|G83 8EG|Balloch||UKM61|
scotland|Stirling Council||Stirling|||
scotland|SEPA|FK9 4TZ|Stirling|||
scotland|Hub South West Scotland|KA1 3XB|Kilmarnock|||
wales|Cyngor Gwynedd|LL55 1SH|Caernarfon|||
wales|Hywel Dda University Health Board|SA31 3BB|Carmarthen|United Kingdom|UKL14|UKL14
wales|South Wales Police|CF31 3SU|Bridgend|||
wales|Welsh Ambulance Services NHS Trust|LL17 0RS|St Asaph|||
wales|Cardiff Metropolitan University||Cardiff|UK||
wales|Amgueddfa Cymru - National Museum Wales|CF10 3NP|Cardiff|||
england|Bournemouth, Christchurch and Poole Council|BH2 6DY|Bournemouth|||
england|St Helens Borough Council|WA10 1HP|St Helens|England||
england|Perth Street Surgery|HU5 3NZ|Hull|||
england|Wales Parish Council|S26 5QG|Wales, Sheffield|England|UKE31|
england|Scotland Gate Primary School|NE62 5SR|Choppington|||
england|Cambridgeshire County Council||Cambridge|||UKH12
england|Historic England|EC4R 2YA|London|||UKK
england|Environment Agency|LD1 5AA|||UKL24|
uk|Ministry of Defence, Land Equipment|BS34 8JH|Bristol|||
uk|MINISTRY OF JUSTICE|SW1H 9AJ|London||UKI32|UKL
uk|Department of Health and Social Care|LS2 7UE|Leeds||UKE42|
uk|The Department for Science, Innovation & Technology|SW1A 2EG|London|||
uk|HM Land Registry|CR0 9PU|Croydon|||
uk|Maritime & Coastguard Agency|AB11 5QT|Aberdeen|Scotland|UKM50|UKM
uk|North Sea Transition Authority|AB10 1BF|Aberdeen||UKM50|
uk|Royal Mint|CF72 8YT|Llantrisant||UKL|UK
uk|Office of the Secretary of State for Wales|CF10 1EP|Cardiff|||
uk|National Savings and Investments|G58 1SB|Glasgow|||
uk|House of Commons|SW1A 0AA|London|||
uk|Nuclear Decommissioning Authority|CA24 3HU|Moor Row|England||
uk|Post Office Ltd|EC2Y 9AQ|London|||UK
uk|Buyer without an address|||||UKI,UKN
scotland|Buyer without an address|||United Kingdom||UKM91
england|Housing association without an address|||GB||UKD
wales|Cwmni Esiampl|CF99 1SN||United Kingdom|UK|
-|Consortium of buyers|||GB||
-|Government of Jersey|JE4 8QT|St Helier|||
-|Falkland Islands Government|FIQQ 1ZZ|Stanley|Falkland Islands||
england|The Scottish Widows Trust|EC2V 7HN|London|||
`;
