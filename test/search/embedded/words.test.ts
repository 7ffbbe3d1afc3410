import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { SearchDocument } from '../../../search/engine.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';

describe('the words of a query', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let engine: EmbeddedEngine;
  let trial: Trial;

  beforeAll(async () => {
    folder = await makeFolder();
    const { index, url } = await openIndex(folder.path);
    engine = makeTestEngine(index, { url, readers: 1 });
    trial = makeTrial(engine);
    await trial.fill([someDocument({ notice_id: 'r-1', title: 'Viaduct painting' })]);
  });
  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  it('are corrected, and the answer says which', async () => {
    const { hits, meta } = await trial.find({ text: 'viadcut paintng' });
    expect(hits.map(({ notice_id }) => notice_id)).toEqual(['r-1']);
    expect(meta.corrections).toEqual([
      { from: 'viadcut', to: 'viaduct' },
      { from: 'paintng', to: 'painting' },
    ]);
  });

  it('are corrected where a long one has two mistakes, one of them among its first letters', async () => {
    const stairs = someDocument({ notice_id: 'stairs', title: 'Refurbishment of stairs' });
    await trial.add([stairs]);
    for (const text of ['refurbsihmnet', 'rfeurbishmnet', 'erfurbishmnet', 'rexurbishmnet'])
      expect((await trial.find({ text })).meta.corrections).toEqual([{ from: text, to: 'refurbishment' }]);
    await trial.add([], [stairs.id]);
  });

  it('that may be several are taken for one with the same first letter, and then the most frequent', async () => {
    const titles = ['Mottle', 'Kettle', 'Kettle', 'Bridge', 'Bridle', 'Bridle'];
    const rows = titles.map((title, index) => someDocument({ notice_id: `meant-${index}`, title }));
    await trial.add(rows);
    const { meta } = await trial.find({ text: 'mettle bridfe ' });
    expect(meta.corrections).toEqual([
      { from: 'mettle', to: 'mottle' },
      { from: 'bridfe', to: 'bridle' },
    ]);
    await trial.add(
      [],
      rows.map(({ id }) => id),
    );
  });

  it('are never corrected to a word that no text has any more, such as a name that was taken down', async () => {
    const make = (title: string, at = 0) => someDocument({ notice_id: `${title}-${at}`, title });
    const often = Array.from({ length: 20 }, (_, at) => make('Hollin', at));
    const [name, similar, long, rare] = [make('Wexcombe'), make('Wexcombo'), make('Marrowbridges'), make('Hollinn')];
    await trial.add([name, similar, long, rare, ...often]);
    const ask = async (text: string) => (await trial.find({ text })).meta.corrections.map(({ to }) => to);
    const askAll = async () => [await ask('wexcombbe '), await ask('marrowbrigdse '), await ask('hollinn ')];
    expect(await askAll()).toEqual([['wexcombe'], ['marrowbridges'], ['hollin']]);
    const remove = (gone: SearchDocument[]) =>
      trial.add(
        [],
        Array.from(gone, ({ id }) => id),
      );
    await remove([name, long, ...often]);
    expect(await askAll()).toEqual([['wexcombo'], [], []]);
    await remove([similar, rare]);
  });

  it('are marked in a text where they are a number that may be a code or of a company, as one of a choice too', async () => {
    const numbered = someDocument({ notice_id: 'numbered', title: 'Isotopes SF050678', description: 'Ref. 20180501' });
    await trial.add([numbered]);
    const marked = async (text: string) => (await trial.find({ text, highlight: true })).hits[0]?.highlight;
    expect(await marked('sf050678')).toBe('Isotopes <mark>SF050678</mark>');
    expect(await marked('zebra OR 20180501')).toBe('Ref. <mark>20180501</mark>');
    await trial.add([], [numbered.id]);
  });

  it('find a postcode that a text has without its space', async () => {
    const joined = someDocument({ notice_id: 'joined', title: 'Harbour', description: 'Deliver to ZE29AB' });
    await trial.add([joined]);
    expect((await trial.find({ text: 'ZE2 9AB' })).hits.map(({ notice_id }) => notice_id)).toEqual(['joined']);
    await trial.add([], [joined.id]);
  });

  it('are found between signs that no keyboard has, with accents and in other alphabets', async () => {
    const signs = someDocument({
      notice_id: 'signs',
      title: 'Café–bar “Zoë’s” …lift\u00a0repair',
      description: '£5m • Γέφυρα—Мост; naïveté・ﬁre½ ®hoist† №7',
    });
    await trial.add([signs]);
    const words = ['cafe', 'CAFÉ', 'bar', 'zoe', 'Zoë’s', 'lift', 'repair', '5m', 'γεφυρα', 'МОСТ', 'naivete', 'hoist'];
    for (const text of [...words, '"lift repair"', '"cafe bar"', 'cafe zoe мост']) {
      expect([text, (await trial.find({ text })).hits.map(({ notice_id }) => notice_id)]).toEqual([text, ['signs']]);
    }
    await trial.add([], [signs.id]);
  });

  it('find what a rare one is a slip of, after those that hold it', async () => {
    const rows = Array.from({ length: 20 }, (_, index) =>
      someDocument({ notice_id: `s-${index}`, title: `Stationery ${index}` }),
    );
    await trial.add([...rows, someDocument({ notice_id: 'slip', title: 'Supply of stationary' })]);
    const { hits, total, meta } = await trial.find({ text: 'stationary' });
    expect(hits[0]?.notice_id).toBe('slip');
    expect(total).toBe(21);
    expect(meta.corrections).toEqual([{ from: 'stationary', to: 'stationery' }]);
    await trial.add([], [...rows.map(({ id }) => id), someDocument({ notice_id: 'slip' }).id]);
  });

  it('begin longer ones where they come last and few documents hold them, which come first', async () => {
    const held = Array.from({ length: 10 }, (_, index) =>
      someDocument({ notice_id: `held-${index}`, title: 'Works', description: 'A lathe, a mill, an anvil' }),
    );
    const [tenth, ...few] = held as [SearchDocument, ...SearchDocument[]];
    const longer = someDocument({ notice_id: 'longer', title: 'Latheworks' });
    await trial.add([...few, longer, someDocument({ notice_id: 'mill', title: 'Mill' })]);
    const first = await trial.find({ text: 'lathe', limit: 9 });
    expect([first.total, first.meta.matched]).toEqual([10, 'prefix']);
    // Four letters begin words of descriptions too.
    expect([(await trial.find({ text: 'anvi' })).total, (await trial.find({ text: 'anv' })).total]).toEqual([9, 0]);
    expect(first.hits.map(({ id }) => id).toSorted()).toEqual(few.map(({ id }) => id).toSorted());
    await trial.add([tenth]);
    const whole = await trial.find({ text: 'lathe' });
    expect([whole.total, whole.meta.matched]).toEqual([10, 'all']);
    // The pages that follow are of what the first was of.
    expect(await trial.ids({ text: 'lathe', limit: 9, cursor: first.nextCursor ?? '' })).toContain('longer');
    expect((await trial.ids({ text: 'lathe mill ', match: 'any' })).indexOf('mill')).toBe(10);
    await trial.add([], [...held.map(({ id }) => id), longer.id, someDocument({ notice_id: 'mill' }).id]);
  });
});
