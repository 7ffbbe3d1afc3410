import { describe, expect, it } from 'vitest';
import { inTitles, titleTokens } from '../../../search/embedded/layout/tokens.ts';
import { foldText } from '../../../search/query/pieces.ts';

describe('words of titles', () => {
  it('are tokens of their own, next to each other as in the title', () => {
    expect(titleTokens(foldText('Granite kerbs - phase 2, Ynys Môn'))).toBe(
      'zzlgranite zzlkerbs - zzlphase zzl2, zzlynys zzlmon',
    );
    expect(titleTokens(foldText('Доставка 文具'))).toBe('zzlдоставка zzl文具');
    expect(inTitles('("granite kerbs" OR "kerb" * OR "文具") AND ("lime" OR "zzi42")')).toBe(
      '("zzlgranite zzlkerbs" OR "zzlkerb" * OR "zzl文具") AND ("zzllime" OR "zzlzzi42")',
    );
  });
});
