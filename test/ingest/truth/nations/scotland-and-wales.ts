/**
 * Further buyers in the shapes that services publish, by one who had not read the rule: of Scotland, Wales and their borders. Fields as in
 * `shapes.ts`.
 */
export const SCOTLAND_AND_WALES = `
scotland|NHS Greater Glasgow and Clyde|G12 0XH|Glasgow|United Kingdom|UKM82|UKM82
scotland|NHS Lanarkshire|G71 8BB|Bothwell|UK|UKM84|
scotland|NHS Ayrshire and Arran|KA6 6AB|Ayr||UKM94|UKM
scotland|NHS Western Isles|HS1 2AF|Stornoway||UKM64|
scotland|NHS Orkney|||||
scotland|Shetland Islands Council|ZE1 0LZ|Lerwick||UKM66|UKM66
scotland|Comhairle nan Eilean Siar|HS1 2BW|Stornoway||UKM64|
scotland|Comhairle nan Eilean Siar (Western Isles Council)|||||
scotland|NHS National Services Scotland (Common Services Agency) (more commonly known as NSS)|EH12 9EB|Edinburgh||UKM|UKM
scotland|Golden Jubilee National Hospital|G81 4DY|Clydebank|||
scotland|NatureScot|IV3 8NW|Inverness||UKM6|
scotland|Highlands and Islands Enterprise|||||UK
scotland|CalMac Ferries Limited|PA19 1QP|Gourock||UKM83|UK
scotland|Caledonian Maritime Assets Limited|||||
scotland|Crofting Commission||Inverness|||
scotland|Scotland Excel|PA1 1JB|Paisley||UKM83|UKM
scotland|Advanced Procurement for Universities & Colleges|FK7 7SD|Stirling||UKM77|
scotland|Bòrd na Gàidhlig||Inverness|Scotland||
scotland|Crown Office and Procurator Fiscal Service|EH1 1LA|Edinburgh|||
scotland|Skills Development Scotland Co. Limited|||||UKM
scotland|Scottish Police Authority|G40 4EX|Glasgow|||
scotland|Argyll and Bute Council|PA31 8RT|Lochgilphead||UKM63|
scotland|ARGYLL & BUTE COUNCIL|||||
scotland|East Renfrewshire Council|g46 6ug|giffnock|uk||
scotland|Perth & Kinross Council|PH15GD|Perth|GB|UKM77|
scotland|Kingdom Housing Association Ltd||Glenrothes|||
scotland|University of Strathclyde|||||
scotland|University of St Andrews|KY16 9AJ|St Andrews||UKM72|
scotland|Robert Gordon University||Aberdeen|||
scotland|Heriot-Watt University|EH14 4AS|Edinburgh||UKM75|
scotland|Clyde Gateway URC|G40 4QA||||
scotland|Tay Cities Region Joint Committee||Dundee|||
scotland|Langholm Initiative|DG13 0JH|Langholm|||
scotland|Gretna Green Community Council|DG16 5DU|Gretna|||
scotland|Canonbie and District Residents Association|DG14 0TA|Canonbie|United Kingdom||
scotland|Eyemouth Harbour Trust|TD14 5HE|Eyemouth|||
scotland|Kelso Heritage Trust|TD5 7HX|Kelso|United Kingdom|UKM91|
scotland|Coldstream Community Council|TD12 4DT|Coldstream|||
england|Cornhill-on-Tweed Parish Council|TD12 4UH|Cornhill-on-Tweed|England||
england|Berwick Academy|TD15 2JF|Berwick-upon-Tweed||UKC21|UKC21
england|Maltings (Berwick) Trust|TD15 1AB|Berwick upon Tweed|United Kingdom||
scotland|Paxton Trust|TD15 1SZ|Berwick-upon-Tweed|Scotland||
scotland|Paxton House Estate|TD15 1SZ||United Kingdom|UKM91|
england|Longtown Parish Council|CA6 5SQ|Longtown|||
england|Bewcastle Parish Hall Committee|CA6 6PX|Carlisle||UKD11|
scotland|Newcastleton and District Community Trust|TD9 0QD|Newcastleton|||
scotland|Hamilton Academical Community Trust|ML3 0FT|Hamilton|||
scotland|Newport-on-Tay Community Trust|DD6 8AB|Newport-on-Tay|||
scotland|Church of Scotland|EH2 4YN|Edinburgh|||
scotland|The Robertson Trust|||Scotland||
scotland|Historic Environment Scotland|EH9 1SH|Edinburgh|United Kingdom||
scotland|National Galleries of Scotland|||||
scotland|Registers of Scotland|EH8 7AU|Edinburgh|United Kingdom|UKM75|UKM75
scotland|Scottish Government|SW1A 2AU|London|United Kingdom||
scotland|The Scottish Ministers|||||UKM
scotland|Transport Scotland|G2 1PB|Glasgow||UKM82|
scotland|Scottish Prison Service|EH12 9HW|EDINBURGH|United Kingdom|UKM75|UKM
scotland|Northern Lighthouse Board|EH2 3DA|Edinburgh|||
scotland|Aberdeen Harbour Board|AB11 5SS||United Kingdom||
scotland|Ferguson Marine (Port Glasgow) Ltd||Port Glasgow|||
scotland|Lothian Buses||Edinburgh|United Kingdom||
scotland|Dundee and Angus College|||||
scotland|Isle of Skye Community Land Trust||Isle of Skye|||
scotland|Procurement Team A|||GB-SCT||
scotland|Procurement Team B||||TLM|
scotland|Procurement Team C||||TLM32|
scotland|Procurement Team D||||UKM27|
scotland|Procurement Team E||||UKM65|UKL
scotland|Procurement Team F|||||=Scotland
scotland|Procurement Team G|||||#IV51 9EJ
scotland|Procurement Team H|||||@Scotland
scotland|Procurement Team I||||UK|UKM25
scotland|Procurement Team J|EH6|||UK|
scotland|Procurement Team K|||SCOTLAND|UK|UK
scotland|Procurement Team L||Glasgow G2 6QE|||
wales|Betsi Cadwaladr University Health Board|LL57 2PW|Bangor|UK|UKL1|UKL1
wales|Bwrdd Iechyd Prifysgol Bae Abertawe|SA12 7BR|Port Talbot|||
wales|Bwrdd Iechyd Prifysgol Aneurin Bevan|||||
wales|Bwrdd Iechyd Addysgu Powys|LD3 0LU|Aberhonddu|||
wales|Cyngor Sir Ynys Môn|LL77 7TW|Llangefni|Cymru||
wales|Cyngor Sir Ynys Mon|||||
wales|Cyngor Sir Gâr||Caerfyrddin|||
wales|Cyngor Castell-nedd Port Talbot|||||
wales|Cyngor Caerdydd|CF10 4UW|Caerdydd|||
wales|Llywodraeth Cymru|||||
wales|Llywodraeth Cymru|CF10 3NQ|Caerdydd|United Kingdom|UKL22|UKL
wales|Heddlu Dyfed-Powys|||||
wales|Comisiynydd y Gymraeg||Caerdydd|||
wales|Llyfrgell Genedlaethol Cymru|SY23 3BU|Aberystwyth|||
wales|Cyfoeth Naturiol Cymru|||United Kingdom||
wales|Prifysgol Aberystwyth|||||
wales|Awdurdod Parc Cenedlaethol Eryri|LL48 6LF|Penrhyndeudraeth||UKL12|
wales|Trafnidiaeth Cymru|CF37 4TH|Pontypridd|||
wales|Ymddiriedolaeth GIG Prifysgol Felindre|||||
wales|Adra (Tai) Cyfyngedig|LL57 4DT|Bangor|||
wales|Dwr Cymru Welsh Water|CF46 6LY|Nelson|United Kingdom||
wales|Dŵr Cymru Cyfyngedig|||||
wales|Senedd Cymru|CF99 1SN||||
wales|Ffederasiwn y Ffermwyr Ifanc Cymru||Llanfair-ym-Muallt|||
wales|Public Health Wales NHS Trust|CF10 4BZ|Cardiff|United Kingdom|UKL22|
wales|Digital Health and Care Wales|CF11 9AD|Cardiff|||
wales|NHS Wales Shared Services Partnership-Procurement Services (hosted by Velindre University NHS Trust)|CF15 7QZ|Cardiff|UK|UKL|UKL
wales|Health Education and Improvement Wales||Nantgarw|||
wales|Merthyr Tydfil County Borough Council|CF47 8AN|Merthyr Tydfil||UKL15|
wales|Rhondda Cynon Taf CBC|||||
wales|Blaenau Gwent County Borough Council|NP23 6AA|Ebbw Vale||UKL16|
wales|Newport City Council|NP20 4UR|Newport||UKL21|
wales|Newport Norse Limited||Newport, Gwent|||
wales|Flintshire County Council|CH7 6NF|Mold|||
wales|Deeside Community Trust|CH5 4HR||||
wales|Saltney Town Council|CH4 8SG|Saltney||UKL23|
wales|Broughton and Bretton Community Council|CH4 0QN|Broughton|Wales||
england|Chester Diocesan Academies Trust|CH4 9LJ|Chester|England||
england|Dodleston Parish Council|CH4 9NG|Dodleston||UKD63|
england|Oswestry Town Council|SY11 1PZ|Oswestry|||
wales|Carreghofa Community Council|SY22 6LB|Llanymynech|Wales||
wales|Llanfyllin Town Council|SY22 5AA|Llanfyllin|United Kingdom|UKL24|
wales|Montgomery Town Council|SY15 6PA|Montgomery||UKL24|
england|Chirbury with Brompton Parish Council|SY15 6BN|Chirbury|England|UKG22|
england|Bishop's Castle Community College|SY9 5AY|Bishop's Castle|||
wales|Powys County Council|LD1 5LG|Llandrindod Wells|United Kingdom|UKL24|UKL24
wales|Knighton Town Council|LD7 1DR|Knighton|Wales||
england|Brampton Bryan Parish Council|SY7 0DH|Bucknell|England||
wales|Presteigne and Norton Town Council|LD8 2AD|Presteigne||UKL24|
england|Kington Town Council|HR5 3BJ|Kington||UKG11|
wales|Hay-on-Wye Town Council|HR3 5DB|Hay-on-Wye|Wales||
wales|Gladestry Community Council|HR5 3NR|Gladestry||UKL24|
england|Wye Valley NHS Trust|HR1 2ER|Hereford|United Kingdom|UKG11|UKG11
wales|Chepstow Town Council|NP16 5LH|Chepstow|Wales||
england|Tidenham Parish Council|NP16 7JZ|Tutshill|England|UKK13|
england|Wyedean School|NP16 7AA|Sedbury, Chepstow||UKK13|
wales|Monmouthshire County Council|NP15 1GA|Usk|UK|UKL21|
england|Welsh Newton Parish Council|NP25 5RG|Welsh Newton|England||
wales|Monmouth School|NP25 3XP|Monmouth||UKL21|
england|Forest of Dean District Council|GL16 8HG|Coleford|||
wales|Princess of Wales Hospital|CF31 1RQ|Bridgend|||
wales|University of Wales Trinity Saint David|||||
wales|Aberystwyth University|SY23 3FL||GB||
wales|Swansea University|||||
wales|Cardiff and Vale College|CF10 5FE|||UKL22|UKL22
wales|Wales & West Utilities Limited|NP10 8FZ|Newport|||
wales|Cardiff Capital Region|||||UKL
wales|Procurement Team M||||UKL|
wales|Procurement Team N||||UKL18|
wales|Procurement Team O||||TLL52|
wales|Procurement Team P||||UK|UK||GB-WLS
wales|Procurement Team Q|||Wales (Cymru)||
wales|Procurement Team R|||||=Wales
wales|Procurement Team S|||||#SA73 2RE
wales|Procurement Team T|cf103nq||||
wales|Procurement Team U|||GB-WLS||
wales|Procurement Team V||Powys|||
wales|Procurement Team W||Llandudno Junction|United Kingdom||
wales|Procurement Team X||Bangor, Gwynedd|||
`;
