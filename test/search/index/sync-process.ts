import { openDatabase } from '../../../schema/db/open.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { makeTestEngine } from '../test-engine.ts';

/** Syncs the index of a folder as the jobs process does, and says how far it is after each batch. */
const [, , folder = ''] = process.argv;
const catalogue = await openDatabase({ url: `file:${folder}/catalogue.db`, durability: 'normal', readOnly: true });
const { index, url } = await openIndex(folder);
const engine = makeTestEngine(index, { catalogue, url });
await syncSearch(catalogue, engine, { onProgress: ({ done }) => console.log(done) });
await engine.close();
await catalogue.close();
