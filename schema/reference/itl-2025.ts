/**
 * Codes of ITL 2025 at levels 2 and 3 that the list of 2021 does not have; no code stands for another place in both. Office
 * for National Statistics, Open Geography Portal ("LAD to LAU1 to ITL3 to ITL2 to ITL1 (January 2025) lookup in the UK"), Open
 * Government Licence v3.0; the codes are those of data/nuts.json in github.com/ideal-postcodes/postcodes.io at a3fbd34.
 */
export const ITL_2025 = `
C3 Tees Valley
C31 Hartlepool and Stockton-on-Tees
C32 South Teesside
C33 Darlington
C4 Northumberland, Durham and Tyne & Wear
C41 Durham
C42 Northumberland
C43 Tyneside
C44 Sunderland
D13 Cumberland
D14 Westmorland and Furness
E33 Barnsley
E34 Rotherham
E35 Doncaster
H26 North and East Hertfordshire
H27 South West Hertfordshire
H4 Cambridgeshire and Peterborough
H41 Peterborough
H42 Cambridgeshire
H5 Norfolk
H51 Norwich and East Norfolk
H52 North and West Norfolk
H53 Breckland and South Norfolk
H6 Suffolk
H61 Babergh and Mid Suffolk
H62 Ipswich
H63 East Suffolk
H64 West Suffolk
I35 Westminster and City of London
I36 Camden
J15 Berkshire East
J16 Berkshire West
K5 West of England
K51 Bristol, City of
K52 Bath & North East Somerset and South Gloucestershire
K6 North Somerset, Somerset and Dorset
K61 North Somerset
K62 Somerset
K63 Bournemouth, Christchurch and Poole
K64 Dorset
K7 Gloucestershire and Wiltshire
K71 Swindon
K72 Wiltshire
K73 Gloucestershire
L3 North Wales
L31 Isle of Anglesey
L32 Gwynedd
L33 Conwy and Denbighshire
L34 Flintshire and Wrexham
L4 Mid and South West Wales
L41 Mid Wales
L42 South West Wales
L43 Swansea
L44 Neath Port Talbot
L5 South East Wales
L51 Central Valleys and Bridgend
L52 Cardiff and Vale of Glamorgan
L53 Gwent Valleys
L54 Monmouthshire and Newport
M0 Eastern Scotland
M01 Clackmannanshire and Fife
M02 Perth and Kinross, and Stirling
M03 Angus and Dundee City
M1 East Central Scotland
M11 East Lothian and Midlothian
M12 Falkirk
M13 City of Edinburgh
M14 West Lothian
M2 Highlands and Islands
M20 Highlands and Islands
M3 West Central Scotland
M31 East Dunbartonshire and West Dunbartonshire
M32 Glasgow City
M33 Inverclyde, East Renfrewshire, and Renfrewshire
M34 North Lanarkshire
`;
