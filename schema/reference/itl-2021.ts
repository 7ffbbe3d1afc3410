/**
 * Regions of the United Kingdom at ITL levels 2 and 3, each without its `UK` or `TL`: the lists of 2021 and, where codes were
 * other (Northern Ireland, Dorset), NUTS 2018. Office for National Statistics, Open Geography Portal ("LAD to LAU1 to ITL3 to
 * ITL2 to ITL1 lookup in the UK", 2021 and 2018), Open Government Licence v3.0; read in github.com/ideal-postcodes/postcodes.io,
 * data/nuts.json at 257e8ab, 4939eac and 869e264. `CC` (county council) is left out of names.
 */
export const ITL_2021 = `
C1 Tees Valley and Durham
C11 Hartlepool and Stockton-on-Tees
C12 South Teesside
C13 Darlington
C14 Durham
C2 Northumberland, and Tyne and Wear
C21 Northumberland
C22 Tyneside
C23 Sunderland
D1 Cumbria
D11 West Cumbria
D12 East Cumbria
D3 Greater Manchester
D33 Manchester
D34 Greater Manchester South West
D35 Greater Manchester South East
D36 Greater Manchester North West
D37 Greater Manchester North East
D4 Lancashire
D41 Blackburn with Darwen
D42 Blackpool
D44 Lancaster and Wyre
D45 Mid Lancashire
D46 East Lancashire
D47 Chorley and West Lancashire
D6 Cheshire
D61 Warrington
D62 Cheshire East
D63 Cheshire West and Chester
D7 Merseyside
D71 East Merseyside
D72 Liverpool
D73 Sefton
D74 Wirral
E1 East Yorkshire and Northern Lincolnshire
E11 Kingston upon Hull, City of
E12 East Riding of Yorkshire
E13 North and North East Lincolnshire
E2 North Yorkshire
E21 York
E22 North Yorkshire
E3 South Yorkshire
E31 Barnsley, Doncaster and Rotherham
E32 Sheffield
E4 West Yorkshire
E41 Bradford
E42 Leeds
E44 Calderdale and Kirklees
E45 Wakefield
F1 Derbyshire and Nottinghamshire
F11 Derby
F12 East Derbyshire
F13 South and West Derbyshire
F14 Nottingham
F15 North Nottinghamshire
F16 South Nottinghamshire
F2 Leicestershire, Rutland and Northamptonshire
F21 Leicester
F22 Leicestershire and Rutland
F24 West Northamptonshire
F25 North Northamptonshire
F3 Lincolnshire
F30 Lincolnshire
G1 Herefordshire, Worcestershire and Warwickshire
G11 Herefordshire, County of
G12 Worcestershire
G13 Warwickshire
G2 Shropshire and Staffordshire
G21 Telford and Wrekin
G22 Shropshire
G23 Stoke-on-Trent
G24 Staffordshire
G3 West Midlands
G31 Birmingham
G32 Solihull
G33 Coventry
G36 Dudley
G37 Sandwell
G38 Walsall
G39 Wolverhampton
H1 East Anglia
H11 Peterborough
H12 Cambridgeshire
H14 Suffolk
H15 Norwich and East Norfolk
H16 North and West Norfolk
H17 Breckland and South Norfolk
H2 Bedfordshire and Hertfordshire
H21 Luton
H23 Hertfordshire
H24 Bedford
H25 Central Bedfordshire
H3 Essex
H31 Southend-on-Sea
H32 Thurrock
H34 Essex Haven Gateway
H35 West Essex
H36 Heart of Essex
H37 Essex Thames Gateway
I3 Inner London - West
I31 Camden and City of London
I32 Westminster
I33 Kensington & Chelsea and Hammersmith & Fulham
I34 Wandsworth
I4 Inner London - East
I41 Hackney and Newham
I42 Tower Hamlets
I43 Haringey and Islington
I44 Lewisham and Southwark
I45 Lambeth
I5 Outer London - East and North East
I51 Bexley and Greenwich
I52 Barking & Dagenham and Havering
I53 Redbridge and Waltham Forest
I54 Enfield
I6 Outer London - South
I61 Bromley
I62 Croydon
I63 Merton, Kingston upon Thames and Sutton
I7 Outer London - West and North West
I71 Barnet
I72 Brent
I73 Ealing
I74 Harrow and Hillingdon
I75 Hounslow and Richmond upon Thames
J1 Berkshire, Buckinghamshire and Oxfordshire
J11 Berkshire
J12 Milton Keynes
J13 Buckinghamshire
J14 Oxfordshire
J2 Surrey, East and West Sussex
J21 Brighton and Hove
J22 East Sussex
J25 West Surrey
J26 East Surrey
J27 West Sussex (South West)
J28 West Sussex (North East)
J3 Hampshire and Isle of Wight
J31 Portsmouth
J32 Southampton
J34 Isle of Wight
J35 South Hampshire
J36 Central Hampshire
J37 North Hampshire
J4 Kent
J41 Medway
J43 Kent Thames Gateway
J44 East Kent
J45 Mid Kent
J46 West Kent
K1 Gloucestershire, Wiltshire and Bath/Bristol area
K11 Bristol, City of
K12 Bath and North East Somerset, North Somerset and South Gloucestershire
K13 Gloucestershire
K14 Swindon
K15 Wiltshire
K2 Dorset and Somerset
K21 Bournemouth and Poole
K22 Dorset
K23 Somerset
K24 Bournemouth, Christchurch and Poole
K25 Dorset
K3 Cornwall and Isles of Scilly
K30 Cornwall and Isles of Scilly
K4 Devon
K41 Plymouth
K42 Torbay
K43 Devon
L1 West Wales and The Valleys
L11 Isle of Anglesey
L12 Gwynedd
L13 Conwy and Denbighshire
L14 South West Wales
L15 Central Valleys
L16 Gwent Valleys
L17 Bridgend and Neath Port Talbot
L18 Swansea
L2 East Wales
L21 Monmouthshire and Newport
L22 Cardiff and Vale of Glamorgan
L23 Flintshire and Wrexham
L24 Powys
M5 North Eastern Scotland
M50 Aberdeen City and Aberdeenshire
M6 Highlands and Islands
M61 Caithness and Sutherland, and Ross and Cromarty
M62 Inverness and Nairn, Moray, and Badenoch and Strathspey
M63 Lochaber, Skye and Lochalsh, Arran and Cumbrae, and Argyll and Bute
M64 Na h-Eileanan Siar
M65 Orkney Islands
M66 Shetland Islands
M7 Eastern Scotland
M71 Angus and Dundee City
M72 Clackmannanshire and Fife
M73 East Lothian and Midlothian
M75 City of Edinburgh
M76 Falkirk
M77 Perth and Kinross, and Stirling
M78 West Lothian
M8 West Central Scotland
M81 East Dunbartonshire, West Dunbartonshire, and Helensburgh and Lomond
M82 Glasgow City
M83 Inverclyde, East Renfrewshire, and Renfrewshire
M84 North Lanarkshire
M9 Southern Scotland
M91 Scottish Borders
M92 Dumfries and Galloway
M93 East Ayrshire and North Ayrshire mainland
M94 South Ayrshire
M95 South Lanarkshire
N0 Northern Ireland
N06 Belfast
N07 Armagh City, Banbridge and Craigavon
N08 Newry, Mourne and Down
N09 Ards and North Down
N0A Derry City and Strabane
N0B Mid Ulster
N0C Causeway Coast and Glens
N0D Antrim and Newtownabbey
N0E Lisburn and Castlereagh
N0F Mid and East Antrim
N0G Fermanagh and Omagh
N10 Derry City and Strabane
N11 Mid Ulster
N12 Causeway Coast and Glens
N13 Antrim and Newtownabbey
N14 Lisburn and Castlereagh
N15 Mid and East Antrim
N16 Fermanagh and Omagh
`;
