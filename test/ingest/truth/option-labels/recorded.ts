import type { OptionLabel } from '../types.ts';

/**
 * Labels of recorded texts that may speak of extensions: the months of all extensions together, or null where a text speaks
 * of none or may mean several things. A text is known by the beginning of its sha256. The rule was written with the texts of
 * half A in sight and those of half B unseen; B was labelled before the rule had read it.
 */
export const OPTION_LABELS: readonly OptionLabel[] = [
  {
    half: 'A',
    place: 'field',
    months: null,
    texts:
      '6b60673bd3 23f484cefc b2300dddce 42f3cc3c28 2a83636648 558f4d0990 91dc55cfe7 616868608c 2df7c9ab99 7e593fac9c ' +
      'e4a1df1fc8',
  },
  {
    half: 'A',
    place: 'field',
    months: 12,
    texts: 'aa5dbf0d38 b3d90be7b5 3d9dce230a 4e828136f3 31e5a78e85 d4c5fd6c98 0d84f9e5b5',
  },
  {
    half: 'A',
    place: 'field',
    months: 24,
    texts:
      'b46eef1da7 3844ec8884 53eb1c999c 149dbd0f1e a246ab4742 c71ef4b794 43bf57111c 2a2b044e73 63aaf36b2f 09086f2dac ' +
      '121f0e5431 2e1ac0519d dafe4ae42c',
  },
  { half: 'A', place: 'field', months: 36, texts: 'ec070f1502 50d551bef2 fe9bcb39f0 f0a3e053c9' },
  { half: 'A', place: 'field', months: 60, texts: 'dc20d8bf06' },
  {
    half: 'A',
    place: 'text',
    months: null,
    texts:
      '11cd5b4730 507d7c0a83 39a201731d 8b553a5032 2f7d654ea8 dffef5ead9 faf9350cbc e75e0e5b63 9eabdf9ec3 162795bdcc ' +
      'f52da0cecb',
  },
  { half: 'A', place: 'text', months: 3, texts: '81ed291ceb' },
  {
    half: 'A',
    place: 'text',
    months: 12,
    texts:
      '2ed48599a4 c37267d1db 6a77ae5f85 77ab7b46d1 f4427dbce1 7bb0d43fa3 6b4b5c3a96 166c8cb208 12ca36a2fa dfb65da582 ' +
      '893aeb5517 ced3861d2a 40f258652f',
  },
  {
    half: 'A',
    place: 'text',
    months: 24,
    texts:
      'c9159cb0b8 8e949d5b3b b019828367 752214b926 99a9727701 961505e1c5 60f3abdc5d 5d6ad22e13 63761fe8e0 54f7f2f637 ' +
      '0a7d410552',
  },
  { half: 'A', place: 'text', months: 48, texts: 'f558cde407 0cdcaa4047' },
  { half: 'A', place: 'text', months: 60, texts: 'a5d946a16d ff4fc63678 7c9cea1aee' },
  {
    half: 'B',
    place: 'field',
    months: null,
    texts: '7c44051c8e d667ab00e9 8ed94b4cf8 8184378e85 07749fee17 2ada55228e 616868608c 5f58bdda2d c833645567',
  },
  {
    half: 'B',
    place: 'field',
    months: 24,
    texts:
      'dad66004aa 8112774f46 e39bbb7ef5 7156c4813a e38f4caf4b a87e208c18 092727327f 442ab4e370 f9a399a567 e4df0073d5 ' +
      'a81d5daeaa 05ed648cc7 30bd244c51 fc2d667d43 16c25f42d0 742bfbbc8f e36b19e20e 6368c96696 1559f66024 b617edc158',
  },
  { half: 'B', place: 'field', months: 36, texts: '5f1dd7a511' },
  { half: 'B', place: 'field', months: 48, texts: '3e1891b045' },
  { half: 'B', place: 'field', months: 84, texts: '821ed3be54 96743091f0 f77bf69aca' },
  {
    half: 'B',
    place: 'text',
    months: null,
    texts:
      '7cafdfa7eb 98bbbf2932 6ab6bb96fc 97c13f079b 72df05b27f b38af2e9fa e75e0e5b63 41ef0cc882 dd1ee6767f 95f1f6e557 ' +
      '684e789e2d 2e5d0debe6 da5b8d3b76 145a1c0954 fdf219bb3a cdf08a9104 4331cfee57 91e0d53978 4b49632b07 e2fa066f19',
  },
  {
    half: 'B',
    place: 'text',
    months: 12,
    texts: '959d63bb7a 3c2b2f5c39 a4525883f9 166c8cb208 59b2b647ed c5132590aa 9355221ab8 925cdeaa5f dfb65da582',
  },
  {
    half: 'B',
    place: 'text',
    months: 24,
    texts:
      'e4300c23d2 6ab76e3c45 3b867918a1 c11ca1ad31 e0f8036edf 9fd8e48241 9772ddd326 241e092c56 afaca92bb8 2547a74f25 ' +
      '2d5be4b983 91b9b9766c 5cdbb5a1e2 5c09b77e36 a9946ddb12 54f7f2f637 9f0d7e489f 7874305aa1 35283475c2 729d78cd21',
  },
  { half: 'B', place: 'text', months: 36, texts: '6cc27e1230' },
  { half: 'B', place: 'text', months: 60, texts: 'a5d946a16d' },
];
