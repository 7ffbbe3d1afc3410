/**
 * Further buyers in the shapes that services publish, by one who had not read the rule: of Northern Ireland, England, the whole country, and of none of them. Fields as in
 * `shapes.ts`.
 */
export const ELSEWHERE = `
northern_ireland|Derry City and Strabane District Council|BT48 7NN|Derry|United Kingdom|UKN10|UKN
northern_ireland|Derry City & Strabane District Council|||||
northern_ireland|Causeway Coast and Glens Borough Council|BT52 1EY|Coleraine|||
northern_ireland|Mid Ulster District Council|||||
northern_ireland|Fermanagh and Omagh District Council||Enniskillen|||
northern_ireland|Newry, Mourne and Down District Council||Downpatrick|||
northern_ireland|Ards and North Down Borough Council|BT20 4BT|Bangor|United Kingdom|UKN09|
northern_ireland|Mid and East Antrim Borough Council|||||
northern_ireland|Antrim and Newtownabbey Borough Council|BT41 4AX|Antrim|||
northern_ireland|Lisburn and Castlereagh City Council|BT27 4RL|Lisburn|NI||
northern_ireland|Armagh City, Banbridge and Craigavon Borough Council|||||
northern_ireland|Belfast City Council|||United Kingdom||
northern_ireland|Northern Health and Social Care Trust||Ballymena|||
northern_ireland|Belfast Health and Social Care Trust|BT9 7AB|Belfast|UK|UKN06|UKN
northern_ireland|Western Health & Social Care Trust|||||UKN
northern_ireland|Business Services Organisation|BT2 8DQ|Belfast|||
northern_ireland|HSC Business Services Organisation Procurement and Logistics Service|||||
northern_ireland|Education Authority|BT2 8QS|Belfast||UKN0|
northern_ireland|Northern Ireland Housing Executive|||||
northern_ireland|NIE Networks|BT9 5HT|Belfast|||
northern_ireland|Northern Ireland Water||Belfast|Northern Ireland||
northern_ireland|Libraries NI|BT1 2AE|||UKN|
northern_ireland|Department of Finance, Construction and Procurement Delivery|BT4 3TT|Belfast|United Kingdom||
northern_ireland|Department of Agriculture, Environment and Rural Affairs|BT4 3SB|Belfast|||UKN
northern_ireland|Department for Infrastructure (Rivers)||Belfast|||
northern_ireland|Queen's University Belfast|||||
northern_ireland|Police Service of Northern Ireland|BT5 6LE|Belfast|||
northern_ireland|Council for Catholic Maintained Schools|BT16 1SA||||
northern_ireland|Radius Housing Association||Holywood|||UKN
northern_ireland|Newcastle Harbour Users Group|BT33 0DQ|Newcastle|||
northern_ireland|Bangor Academy and Sixth Form College|BT20 4UE|Bangor|||
northern_ireland|Bangor Marina||Bangor, Co Down|||
northern_ireland|Mourne Heritage Trust||Newcastle|Northern Ireland||
northern_ireland|Procurement Team Y||||UKN0|
northern_ireland|Procurement Team Z||||TLN0D|
northern_ireland|Procurement Team AA||||UKN16|
northern_ireland|Procurement Team AB|||||=Northern Ireland
northern_ireland|Procurement Team AC||||UK|UK||GB-NIR
northern_ireland|Procurement Team AD|bt12 6ba||United Kingdom||
northern_ireland|Procurement Team AE|||N. Ireland||
northern_ireland|Procurement Team AF||Co. Tyrone|||
wales|Bangor City Council|LL57 1DT|Bangor|||
-|Bangor Swimming Club||Bangor|United Kingdom||
england|Isle of Wight Council|PO30 1UD|Newport|||
england|Isle of Wight NHS Trust|PO30 5TG|Newport, Isle of Wight|United Kingdom|UKJ34|
england|Harper Adams University|TF10 8NB|Newport|||
england|Newport Town Council|TF10 7AS|Newport|England||
england|Scotland Road Medical Centre|L5 5AB|Liverpool|||
england|Scotland Road Regeneration Partnership||Liverpool|||
england|Wales High School Academy Trust|S26 5QQ|Sheffield|||
england|Ireland Wood Primary School|LS16 6BW|Leeds|||
england|Prince of Wales Hospice|WF8 4BG|Pontefract|||
england|London Welsh School|NW10 3RS|London|||
england|Welsh Row Practice|CW5 5HB|Nantwich|||
england|SP Manweb plc|CH43 3ET|Birkenhead|United Kingdom||
england|Sport England|LE11 3QF|Loughborough|||
england|Arts Council England|||||
england|NHS England|LS2 7UE|Leeds|United Kingdom||
england|Environment Agency|BS1 5AH|Bristol|||UKL
england|Natural England|YO1 7PX|York|United Kingdom|UKE21|
england|National Highways|GU1 4LZ|Guildford|||
england|Leeds City Council|LS1 1UR|Leeds|England||UKE42
england|London Borough of Tower Hamlets|||||
england|Royal Borough of Kensington and Chelsea|W8 7NX|London|GB|UKI33|
england|Transport for London|||||
england|Greater Manchester Combined Authority|M1 6EU||||
england|Newcastle City Council||Newcastle upon Tyne|United Kingdom||
england|Newcastle-under-Lyme Borough Council|||||
england|Perton Parish Council|WV6 7QU|Perton|||
england|NHS Cheshire and Merseyside Integrated Care Board|WA4 4FQ|Warrington|||
england|East of England Broadband Network|||||
england|University Hospitals Bristol and Weston NHS Foundation Trust|||||
england|Gwent Close Residents Co-operative|BS16 1AA|Bristol|||
england|Edinburgh Road Primary School|PO1 1AA|Portsmouth|||
england|Glasgow House Trust|W9 1QY|London|||
england|Belfast Street Surgery|BN3 3YS|Hove|||
england|Cardiff Street Allotments|M7 1AA|Salford|United Kingdom||
england|The Dundee Arms Trust||London|||
england|Lancaster City Council|||||UKM
england|Keele University|ST5 5BG|Newcastle-under-Lyme|||
england|Council of the Isles of Scilly|TR21 0LW|St Mary's|||
england|Lindsey Marsh Drainage Board||||UKF30|
england|Procurement Team AG||||TLI3|
england|Procurement Team AH||||UKJ|
england|Procurement Team AI||||UKZ|UKG31
england|Procurement Team AJ|||||=South West
england|Procurement Team AK|||||=Yorkshire and the Humber
england|Procurement Team AL|||GB-ENG||
england|Procurement Team AM|||||UKC1;UKD3
england|Procurement Team AN|EC1A 1BB||||UKM82
england|Procurement Team AO||Stoke-on-Trent|||
england|Procurement Team AP||Cambs|||UKH12
england|Procurement Team AQ|||England|UK|
uk|Ministry of Defence|BS34 8JH|Bristol|United Kingdom||
uk|HM Revenue and Customs|SW1A 2BQ|London|||UK
uk|HM Treasury|SW1A 2HQ|London|||
uk|Home Office|SW1P 4DF|London|United Kingdom|UKI32|UK
uk|Driver and Vehicle Licensing Agency|SA6 7JL|Swansea|United Kingdom|UKL18|
uk|DVLA|||||
uk|Companies House|CF14 3UZ|Cardiff|||
uk|Intellectual Property Office|NP10 8QQ|Newport|||UKL21
uk|Office for National Statistics|NP10 8XG|Newport|United Kingdom||
uk|Student Loans Company Limited|G2 7JD|Glasgow||UKM82|
uk|Foreign, Commonwealth & Development Office|SW1A 2AH|London|||
uk|Crown Commercial Service|L3 9PP|Liverpool|United Kingdom|UKD72|UK
uk|Cabinet Office|||||
uk|UK Research and Innovation|SN2 1FF|Swindon|||
uk|Met Office|EX1 3PB|Exeter||UKK43|
uk|British Broadcasting Corporation|W1A 1AA|London|||
uk|The British Council|E20 1JQ|London|||
uk|Maritime and Coastguard Agency|SO15 1EG|Southampton|||
uk|House of Commons|SW1A 0AA|London|||
uk|UK Health Security Agency,UKHSA|||||
uk|Department for Work and Pensions|||||UKM
-|States of Jersey|JE2 3QB|St Helier|Jersey||
-|Government of Jersey||St Helier|||
-|States of Guernsey|GY1 1FH|St Peter Port|||
-|Isle of Man Government|IM1 3PX|Douglas|Isle of Man||
-|Manx Care|IM4 4RJ|||||IM
-|Douglas Borough Council||Douglas|||
-|Government of Gibraltar|GX11 1AA||Gibraltar||
-|Dublin City Council|D08 RF3F|Dublin|Ireland|IE061|
-|Office of Public Works||Trim|IE||
-|Ville de Paris|75004|Paris|France|FR101|
-|Procurement Team AR|||||
uk|Procurement Team AS|||United Kingdom|UK|UK
-|Procurement Team AT|TD15 1AA||||
-|Procurement Team AU|||England and Wales||
-|Procurement Team AV|||||=Any region
-|Procurement Team AW|||Great Britain||
-|Procurement Team AX||Newport|United Kingdom||
`;
