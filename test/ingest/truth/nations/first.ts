/**
 * Buyers with the nation that they are of, by what is known of each in the world: written before the rule. Fields: nation
 * (`-` where none can be known), name, postcode, locality, country, ITL code, place of performance.
 */
export const FIRST = `
england|Northumberland County Council|NE61 2EF|Morpeth|United Kingdom|UKC21|UKC21
england|Berwick-upon-Tweed Town Council|TD15 1BG|Berwick-upon-Tweed|England||UKC21
england|Berwick Community Trust|TD15 1DS|Berwick-upon-Tweed||UKC21|
scotland|Scottish Borders Council|TD6 0SA|Newtown St Boswells|United Kingdom|UKM91|UKM91
scotland|Foulden, Mordington and Lamberton Community Council|TD15 1UH|Foulden|Scotland||
scotland|Coldstream Community Trust|TD12 4AH|Coldstream||UKM91|
england|Glendale Gateway Trust|NE71 6BL|Wooler|UK||
england|Cheshire West and Chester Council|CH65 0BA|Ellesmere Port|United Kingdom|UKD63|UKD63
england|Chester Zoo|CH2 1LH|Chester|||
england|University of Chester|CH1 4BJ|Chester|United Kingdom|UKD63|UKD63
england|Wirral Council|CH41 6BU|Birkenhead|||
wales|Flintshire County Council|CH7 6NR|Mold|United Kingdom|UKL23|UKL23
wales|Coleg Cambria|CH5 4BR|Connah's Quay||UKL23|UKL23
wales|Deeside Leisure Trust|CH5 1SA|Deeside|||
wales|Cartrefi Gogledd Cymru|CH8 7TW|Holywell|United Kingdom||
wales|Broughton and Bretton Community Council|CH4 0QE|Broughton|Wales||
wales|Wrexham University|LL11 2AW|Wrexham|United Kingdom|UKL23|UKL23
wales|Betsi Cadwaladr University Health Board|LL57 2PW|Bangor|United Kingdom|UKL12|UKL12
wales|Monmouthshire County Council|NP15 1GA|Usk|United Kingdom|UKL21|UKL21
wales|Chepstow Town Council|NP16 5LH|Chepstow|Wales||
wales|Chepstow School|NP16 5LR|Chepstow||UKL21|
england|Wyedean School|NP16 7AA|Sedbury, Chepstow|England|UKK13|
england|Tidenham Parish Council|NP16 7LG|Tutshill||UKK13|
wales|Monmouth School|NP25 3XP|Monmouth||UKL21|
england|Forest of Dean District Council|GL16 8HG|Coleford|United Kingdom|UKK13|UKK13
england|Gloucestershire Hospitals NHS Foundation Trust|GL53 7AN|Cheltenham|||
england|Herefordshire Council|HR4 0LE|Hereford|United Kingdom|UKG11|UKG11
wales|Hay-on-Wye Town Council|HR3 5AE|Hay-on-Wye|Wales||
england|Clifford Parish Council|HR3 5EW|Clifford||UKG11|
england|Kington Town Council|HR5 3BL|Kington|England||
wales|Powys County Council|LD1 5LG|Llandrindod Wells|United Kingdom|UKL24|UKL24
wales|Brecon Beacons National Park Authority|LD3 7HP|Brecon|||
wales|Knighton Town Council|LD7 1DT|Knighton||UKL24|
england|Brampton Bryan Parish Group|SY7 0DH|Bucknell|England||
england|Shropshire Council|SY2 6ND|Shrewsbury|United Kingdom|UKG22|UKG22
england|Oswestry Town Council|SY11 2NX|Oswestry||UKG22|
wales|Llanymynech and Pant Village Trust|SY22 6EA|Llanymynech||UKL24|
wales|Welshpool Town Council|SY21 7JQ|Welshpool|Wales||
wales|Aberystwyth University|SY23 3FL|Aberystwyth|United Kingdom|UKL14|UKL14
wales|Ceredigion County Council|SA46 0PA|Aberaeron|United Kingdom|UKL14|UKL14
wales|Newcastle Emlyn Town Council|SA38 9AE|Newcastle Emlyn|||
wales|Pobl Newcastle Emlyn||Newcastle Emlyn||UKL14|
england|Newcastle City Council|NE1 8QH|Newcastle upon Tyne|United Kingdom|UKC22|UKC22
england|Newcastle-under-Lyme Borough Council|ST5 1BL|Newcastle-under-Lyme|United Kingdom|UKG23|
northern_ireland|Newcastle Harbour Trust|BT33 0AA|Newcastle|||
northern_ireland|Western Health and Social Care Trust|BT47 6SB|Londonderry|United Kingdom|UKN0A|UKN0A
northern_ireland|Derry City and Strabane District Council|BT48 7NN|Derry|United Kingdom|UKN0A|
northern_ireland|Belfast City Council|BT1 5GS|Belfast|United Kingdom|UKN06|UKN06
northern_ireland|Ulster University||Coleraine|Northern Ireland||
northern_ireland|Department for Infrastructure|BT2 8GB|Belfast|United Kingdom|UKN06|UKN
northern_ireland|Department of Finance (NI)|BT3 9ED|Belfast|||
northern_ireland|Construction and Procurement Delivery|BT3 9ED|Belfast|United Kingdom|UKN0|UKN
northern_ireland|Northern Ireland Housing Executive|BT2 8PB|Belfast|United Kingdom|UKN06|UKN
northern_ireland|Police Service of Northern Ireland|BT5 6LE|Belfast|||UKN
northern_ireland|Business Services Organisation|BT2 8DQ|Belfast|||
england|Londonderry Parish Hall Committee|DL7 9ND|Londonderry, Northallerton|England||
england|Cumberland Council|CA3 8QG|Carlisle|United Kingdom|UKD12|UKD12
england|Longtown Memorial Hall|CA6 5PT|Longtown, Carlisle|England||
scotland|Dumfries and Galloway Council|DG1 2DD|Dumfries|United Kingdom|UKM92|UKM92
scotland|Gretna and Rigg Community Council|DG16 5EA|Gretna|Scotland||
scotland|NHS Highland|IV2 3BW|Inverness|United Kingdom|UKM62|UKM62
scotland|Comhairle nan Eilean Siar|HS1 2BW|Stornoway|United Kingdom|UKM64|UKM64
scotland|Orkney Islands Council|KW15 1NY|Kirkwall||UKM65|
scotland|Shetland Islands Council|ZE1 0HB|Lerwick|||
scotland|Glasgow City Council|G2 1DU|Glasgow|United Kingdom|UKM82|UKM82
scotland|University of Edinburgh|EH8 9YL|Edinburgh|United Kingdom|UKM75|UKM75
scotland|Perth College|PH1 2NX|Perth|United Kingdom||
scotland|Scottish Government|EH6 6QQ|Edinburgh|United Kingdom|UKM75|UKM
scotland|Scottish Government|SW1A 2HN|London|United Kingdom|UKI32|UKI
scotland|Scottish Prison Service|EH12 9HW|Edinburgh|United Kingdom|UKM75|UKM
scotland|Transport Scotland|G4 0HF|Glasgow|United Kingdom|UKM82|UKM
scotland|Registers of Scotland|EH8 7AU|Edinburgh|||UKM
scotland|Crown Office and Procurator Fiscal Service|EH1 1LA|Edinburgh|United Kingdom|UKM75|UKM
scotland|Scottish Courts and Tribunals Service|EH11 3XD|Edinburgh|||
scotland|Police Scotland|||||UKM
scotland|Scotland Excel|PA1 1JB|Paisley|United Kingdom|UKM83|UKM
scotland|Visit Scotland||Edinburgh|||
scotland|Forestry and Land Scotland|IV2 3BW|Inverness|||
scotland|National Galleries of Scotland|EH4 3DS|Edinburgh|||
scotland|Caledonian Maritime Assets Ltd|PA14 5EQ|Port Glasgow||UKM83|UKM
wales|Welsh Government|CF10 3NQ|Cardiff|United Kingdom|UKL22|UKL
wales|Llywodraeth Cymru / Welsh Government|CF10 3NQ|Caerdydd|||
wales|Natural Resources Wales|CF24 0TP|Cardiff|United Kingdom|UKL22|UKL
wales|NHS Wales Shared Services Partnership|CF15 7QZ|Cardiff|||UKL
wales|Velindre University NHS Trust|CF15 7QZ|Nantgarw||UKL15|
wales|Transport for Wales|CF37 4TH|Pontypridd|United Kingdom|UKL15|UKL
wales|Swansea Council|SA1 3SN|Swansea|United Kingdom|UKL18|
wales|Dwr Cymru Cyfyngedig|CF3 0LT|Cardiff||UKL22|UKL
wales|Newport City Council|NP20 4UR|Newport|United Kingdom|UKL21|
england|Isle of Wight Council|PO30 1UD|Newport|United Kingdom|UKJ34|
england|Harper Adams University|TF10 8NB|Newport|United Kingdom|UKG22|
england|Prince of Wales Hospice|WF8 4BG|Pontefract|||
england|Kent County Council|ME14 1XQ|Maidstone|United Kingdom|UKJ42|
england|London Borough of Camden|N1C 4AG|London|United Kingdom|UKI31|UKI31
england|Manchester City Council|M60 2LA|Manchester|England|UKD33|UKD33
england|University of Cambridge|CB2 1TN|Cambridge|||
england|Leeds Teaching Hospitals NHS Trust|LS9 7TF|Leeds|||
england|Bristol City Council|BS1 5TR|Bristol||UKK11|
england|Bolton at Home|BL1 1RU|Bolton|||UKD36
england|Leeds City Council|LS1 1UR|Leeds|United Kingdom|UKE42|UKM
england|Bromford Housing Association|WV10 6UH|Wolverhampton|||UKM82
england|YPO|WF2 0XQ|Wakefield|United Kingdom|UKE45|UK
england|NHS Supply Chain: Hotel Services|NG7 2FR|Nottingham||UKF14|UK
england|NHS England|LS2 7UE|Leeds|United Kingdom|UKE42|UK
england|Homes England|CV1 2GN|Coventry|United Kingdom|UKG33|UK
england|Natural England|YO1 7PX|York|||
england|Sport England|LE11 3QF|Loughborough|||
england|Environment Agency|BS1 5AH|Bristol|United Kingdom|UKK11|UK
england|National Highways|GU1 4LZ|Guildford|United Kingdom|UKJ25|UKI
england|Office for Students|BS34 8SR|Bristol|||
england|Care Quality Commission|NE1 4PA|Newcastle upon Tyne|||
uk|Ministry of Defence|SW1A 2HB|London|United Kingdom|UKI32|UK
uk|Ministry of Defence|CF62 4JD|St Athan|Wales|UKL22|UKL
uk|Ministry of Defence, Ships, C&C, Faslane|G84 8HL|Helensburgh|Scotland|UKM63|UKM
uk|Defence Infrastructure Organisation|B75 7RL|Sutton Coldfield|United Kingdom|UKG31|UKN
uk|DVLA|SA6 7JL|Swansea|United Kingdom|UKL18|UKL
uk|Driver and Vehicle Licensing Agency|SA6 7JL|Swansea|United Kingdom|UKL18|UK
uk|Companies House|CF14 3UZ|Cardiff|United Kingdom|UKL22|UKL22
uk|Office for National Statistics|NP10 8XG|Newport|United Kingdom|UKL21|UK
uk|Intellectual Property Office|NP10 8QQ|Newport|Wales||
uk|HM Revenue and Customs|SW1A 2BQ|London|United Kingdom|UKI32|UK
uk|HM Revenue & Customs|EH12 9DN|Edinburgh|Scotland|UKM75|UKM
uk|Department for Work and Pensions|FY2 0UZ|Blackpool|England|UKD42|UK
uk|Home Office|SW1P 4DF|London|United Kingdom|UKI32|UK
uk|Crown Commercial Service|L3 9PP|Liverpool|United Kingdom|UKD72|UK
uk|Network Rail Infrastructure Ltd|NW1 2DN|London|United Kingdom|UKI31|UK
uk|Scotland Office|SW1A 2AU|London|||
uk|Northern Ireland Office|BT1 3FF|Belfast|United Kingdom||
uk|Student Loans Company Limited|G2 7JD|Glasgow|United Kingdom|UKM82|UK
uk|BBC|W1A 1AA|London|||
uk|Met Office|EX1 3PB|Exeter|||
scotland|Aberdeen City Council||Aberdeen|||
wales|Cardiff Council||Cardiff|||
england|Lincolnshire Police||Lincoln|||
england|Example Learning Trust|||England||
scotland|Example Learning Trust|||Scotland||
wales|Example Learning Trust|||Wales||
scotland|Buyer without an address|||||UKM82,UKM50
northern_ireland|Buyer without an address|||||UKN
england|Buyer without an address|||United Kingdom||UKC,UKD
uk|Buyer without an address|||||UK
uk|Buyer without an address|||||UKL,UKM,UKJ
-|Buyer without an address|||||
-|Buyer of an unknown place|||United Kingdom||
-|States of Jersey|JE2 3RR|St Helier|Jersey||
-|Isle of Man Government|IM1 3PN|Douglas|Isle of Man||
-|States of Guernsey|GY1 1FH|St Peter Port|||
-|Dublin Port Company|D01 H4C6|Dublin|Ireland||
england|Law Society of England and Wales|WC2A 1PL|London|||
`;
