/**
 * Buyers in the shapes that services publish, by one who had not read the rule. Fields: nations that are right (`-` for none),
 * name, postcode, locality, country, region, places of performance (a code, `=` region, `#` postcode, `@` country; divided by
 * `;`), code of the country, regulations of a nation that the buyer is under.
 */
export const SHAPES = `
scotland|Council A||||UKM82
scotland|Council B||||UKM
scotland|Council C||||UKM34
scotland|Council D||||UKM2
scotland|Council E||||TLM82
scotland|Council F||||TLM13
scotland|Council G||||TLM0
wales|Council H||||UKL22
wales|Council I||||TLL
wales|Council J||||TLL3
wales|Council K||||TLL52
wales|Council L||||UKL1
northern_ireland|Trust M||||UKN06
northern_ireland|Trust N||||UKN0
northern_ireland|Trust O||||TLN0A
northern_ireland|Trust P||||UKN01
england|Council Q||||UKI32
england|Council R||||UKD
england|Council S||||TLC11
england|Council T||||UKJ33
england|Council U||||TLK72
england|Council V||||ukf24
uk,-|Body W||||UK
uk,-|Body X||||UKZ
uk,-|Body Y||||UKZZZ
-|Body Z|||Ireland|IE061
-|Body AA|||France|FR101
scotland|Body|EH8 8BG
scotland|Body|g2 1du
scotland|Body|AB101AB
scotland|Body|ZE1 0LZ
scotland|Body|HS1 2BW
scotland|Body|KW15 1NY
scotland|Body|IV3 5NX
scotland|Body|PH1 5GD
scotland|Body|FK8 2ET
scotland|Body|ML1 1TW
scotland|Body|KA3 7BU
scotland|Body|PA1 1JB
scotland|Body|DD1 3BY
scotland|Body|KY7 5LT
wales|Body|CF10 4UW
wales|Body|SA1 3SN
wales|Body|LL55 1SH
northern_ireland|Body|BT1 5GS
northern_ireland|Body|BT48 7NN||Northern Ireland
england|Body|SW1A 2AS
england|Body|B1 1BB
england|Body|M60 2LA
england|Body|L3 1DS
england|Body|GL1 2TH
england|Body|DL1 5QT
england|Body|PL1 3BJ
england|Body|S26 5PD|Wales, Sheffield
england|Body|GU1 1AA
england|Body|E14 9GE
england|Body|SN2 1FL
england|Body|CB3 0AP
england|Body|DE1 2FS
england|Body|LE1 1FZ
england|Body|LN1 1YL
scotland|Body|TD6 0SA
scotland|Body|TD1 3HE
england|Body|TD15 1EA|Berwick-upon-Tweed
england|Body|TD15 2AS|Berwick upon Tweed
scotland|Body|TD9 0AE|Hawick
scotland|Body|DG16 5EA|Gretna
scotland|Body|DG1 2DD
england|Body|CA3 8QG|Carlisle
england|Body|CA6 5TJ|Longtown
england|Body|NE71 6BL|Wooler
wales|Body|CH7 6NF|Mold
wales|Body|CH5 1SE|Deeside
wales|Body|CH8 7TR
england|Body|CH1 2HS|Chester
england|Body|CH44 8ED|Wallasey
england|Body|CH65 0BA
wales|Body|CH4 0DR|Broughton, Flintshire
england|Body|CH4 9PX|Chester
england|Body|SY2 6ND|Shrewsbury
england|Body|SY11 2AW|Oswestry
england|Body|SY13 1QJ|Whitchurch
wales|Body|SY23 3BU|Aberystwyth
wales|Body|SY16 2NH|Newtown
wales|Body|SY20 8DG
wales|Body|SY25 6AT
england|Body|HR4 0LE|Hereford
england|Body|HR9 7DY
wales|Body|HR3 5AE|Hay-on-Wye
wales|Body|LD1 5LG|Llandrindod Wells
wales|Body|LD8 2EZ|Presteigne
wales|Body|NP20 4UR|Newport
wales|Body|NP16 5LQ|Chepstow
england|Body|NP16 7AJ|Sedbury, Gloucestershire
england|Body|GL16 8AH|Coleford
wales|Body|LL11 1AY|Wrexham
wales|Body|LL14 5NF|Chirk
england|Body|SY10 8NR|Gobowen
scotland|Body|||Scotland
scotland|Body||||||GB-SCT
scotland|Body||||GB-SCT
scotland|Body|||Alba
scotland|Body|||SCOTLAND, UK
wales|Body|||Wales
wales|Body|||Cymru
wales|Body||||||GB-WLS
wales|Body|||Cymru / Wales
wales|Body||||||GB-CYM
england|Body|||England
england|Body|||Lloegr
england|Body||||||GB-ENG
northern_ireland|Body|||Northern Ireland
northern_ireland|Body|||N. Ireland
northern_ireland|Body||||||GB-NIR
northern_ireland|Body|||N Ireland
uk,-|Body|||United Kingdom
uk,-|Body||||||GB
-|Body|||Ireland|||IE
-|Body|||Republic of Ireland
-|Body|IM1 3PX||Isle of Man
-|States of Jersey|JE2 3QP||Jersey
-|States of Guernsey|GY1 1FH
-|Government of Gibraltar|GX11 1AA||Gibraltar
-|Transport for NSW|||Australia|New South Wales
-|Nova Scotia Health||Halifax|Canada
-|City of Perth|6000|Perth|AU
-|Massachusetts DOT||Boston, New England|US
-|Nothing known
-|Nothing known either
scotland|Scottish Government
scotland|City of Edinburgh Council
scotland|Comhairle nan Eilean Siar
scotland|Bòrd na Gàidhlig
scotland|Police Scotland
scotland|NHS Greater Glasgow and Clyde
wales|Welsh Government
wales|Llywodraeth Cymru
wales|Cyngor Gwynedd
wales|Amgueddfa Cymru
wales|Cyngor Sir Ynys Môn
wales|North Wales Police
wales|Dŵr Cymru Welsh Water
wales|Prifysgol Bangor
northern_ireland|Department of Finance, Northern Ireland
northern_ireland|Belfast City Council
northern_ireland|Northern Ireland Housing Executive
england|NHS England
england|Leeds City Council
-|Acme Housing Group
-,uk|Network Rail Infrastructure Ltd
england|Newport Town Council|TF10 7AN|Newport, Shropshire
england|Newport Harbour Commissioners|PO30 5BZ|Newport||Isle of Wight
england|Wales Parish Council|S26 5LQ|Wales, Sheffield
england|Wales Bar Depot|S26 2JG|Sheffield
england|Ireland Wood Primary School|LS16 6BW|Leeds
england|Leeds Depot|LS18 5SF|Leeds
england|Metropolitan Police|SW1A 2JL|London
england|Prince of Wales School|DT1 1AA|Dorchester
wales|Princess of Wales Hospital|CF31 1RQ|Bridgend
england|Bank of Scotland Foundation (London office)|EC2V 7HN|London||UKI31
wales|Welsh Government (London)|SW1P 3AT|London||UKI32
scotland|English Speaking Union Scotland|EH2 4RG|Edinburgh
northern_ireland|Bangor Marina|BT20 5ED|Bangor
wales|Bangor University|LL57 2DG|Bangor
england,-|Scotland Yard Supplies Hub
england,-|Wales Bar Community Association, Sheffield
-,england|Ireland Wood Surgery
-|Prince of Wales Theatre Trust
wales,-|Royal Welsh Fusiliers Veterans
-|New South Wales Treasury
uk|Ministry of Defence|BS34 8JH|Bristol||UKK11|UK
uk|HM Revenue and Customs|SW1A 2BQ|London||UK
uk|DVLA|SA6 7JL|Swansea|||UK
uk|Office for National Statistics|NP10 8XG|Newport||UKL21|UK
england|Forestry Commission|EH12 7AT|Edinburgh||UKM75|UKC;UKL
uk|Oil and Gas Authority|AB11 6QD|Aberdeen
uk|British Body|||United Kingdom|UK|UK
scotland|Acme|||||UKM
scotland|Acme|||||UKM75;UKM82
scotland|Acme|||||=Scotland
wales|Acme|||||=Wales
wales|Acme|||||#CF10 3NQ
northern_ireland|Acme|||||=Northern Ireland
england|Acme|||||=South West
england|Acme|||||=Yorkshire and the Humber
england|Acme|||||=England
england|Acme|||||=South West;=South East
england|Acme|||||=East of England
uk|Acme|||||UK
uk|Acme|||||UKM;UKL
uk|Acme|||||=England;=Wales
uk|Acme|||||=England;=Scotland;=Wales;=Northern Ireland
uk,-|Acme|||||@United Kingdom
-|Acme|||||@Channel Islands
-|Acme|||||@Rest of the World
-|Acme|||||@Isle of Man
uk|Acme|||||@British Oversea Territories;@Channel Islands;@Europe;@Isle of Man;@Rest of the World;@United Kingdom
scotland|Acme|||United Kingdom||UKM82
wales|Acme|||||UKL;UKL22|GB
northern_ireland,-|Foras na Gaeilge||Baile Átha Cliath|Ireland||UKN0
scotland,-|Norsk Body|||Norway||UKM50
england|Acme|LS1 1UR||||UKM82
scotland|Acme||||UKM82|UKI
wales|Acme|CF10 3NQ||||UKK
northern_ireland|Acme|BT2 8GB||||UK
scotland|City of Edinburgh Council|EH8 8BG|Edinburgh||UKI
wales|Cyngor Caerdydd|CF10 4UW||England|UK
scotland|Glasgow City Council|G2 1DU||England
england|Cumberland Council|CA3 8NA|Carlisle|Scotland
wales|Welsh Ambulance Services|LL17 0LJ|St Asaph||UKD
england|Shropshire Council|SY2 6ND||United Kingdom|UKG22|||GB-WLS
wales|Acme Housing|||||||GB-WLS
northern_ireland|Acme Health|||||||GB-NIR
scotland|Acme Roads|||||||GB-SCT
wales|Acme Housing|||United Kingdom||UK||GB-WLS
-,uk|Body|N/A||United Kingdom
-|Body|00000
-|Body|XX1 1XX
-|Body|75008|Paris|FR
-|Body|D02 TD34||Ireland
-|Body|BFPO 58
scotland|Body|EH 8 8BG
scotland|Body|Edinburgh EH8 8BG
wales|Body|CF10-4UW
england|Body|SW1A2AS.
scotland|Body|EH8
scotland|Body|G2
wales|Body||Caerdydd||Cymru
scotland|Body||Glasgow
england|Body||Sheffield
-|Body||Newport
-|Body||Bangor
-|Acme
england|Acme|LS1 1UR
scotland,-|Acme Trust
wales,-|Acme Trust
uk|Defence Infrastructure Organisation|B15 2NF|||UKG31|UKM63
england|Environment Agency|BS1 5AH||||UKL21
scotland|Scotland Excel|PA1 1AR|||UKM83|UKM
wales|Caerphilly|CF82 7PG|||UKL16
`;
