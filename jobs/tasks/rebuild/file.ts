import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { buildGeneration } from '../../../ingest/rebuild/generation.ts';
import { type Filled, type LeaseArgs, moveFile } from '../../../ingest/rebuild/move.ts';
import {
  type GenerationFiles,
  generationFiles,
  generationPath,
  pointerPath,
  readPointer,
  removeGenerations,
  writePointer,
} from '../../../schema/db/generations.ts';
import { readCurrentGeneration } from '../../../schema/db/open-catalogue.ts';
import { withLease } from '../../process/lease.ts';
import { ExpectedFault, type JobsServices } from '../../process/services.ts';
import type { BuildOptions, BuildReport } from './options.ts';

/**
 * Rebuilds a catalogue in a file next to the live one, and moves the pointer.
 * @throws as `rebuildCatalogue`
 */
export async function rebuildFile(services: JobsServices, options: BuildOptions): Promise<BuildReport> {
  const { settings } = services;
  const { check, lease, onProgress, signal } = options;
  const files = generationFiles(settings.CATALOGUE_URL);
  const current = await readCurrentGeneration(settings.CATALOGUE_URL);
  await correctPointer(files, current);
  // Removes the previous generation, and what a killed rebuild left unfinished.
  const removed = await removeGenerations(files, check ? [current - 1, current] : [current]);
  const { size } = await stat(generationPath(files, current));
  await requireRoom(files.folder, size);
  const generation = current + 1;
  const move = (filled: Filled) => {
    onProgress?.({ stage: 'moving', done: 0, total: 1 });
    return moveFile(filled, generation, lease);
  };
  try {
    const built = await buildGeneration({
      livePath: generationPath(files, current),
      path: generationPath(files, generation),
      generation,
      signal,
      onProgress,
      ...(check ? {} : { move }),
    });
    if (built.moved) await writePointer(files, built.generation);
    else await sweepOwn(services, lease);
    return { ...built, removed };
  } catch (error) {
    await sweepOwn(services, lease);
    throw error;
  }
}

/** Removes a build that did not go live. If its lease was lost, the file is that of another rebuild by now, or upkeep's to remove. */
async function sweepOwn({ settings, catalogue }: JobsServices, lease: LeaseArgs): Promise<void> {
  const held = await catalogue.read({ sql: 'SELECT 1 FROM lease WHERE name = ? AND token = ?', args: [...lease] });
  if (held.length > 0) await sweep(settings.CATALOGUE_URL);
}

/**
 * Removes the generation before the live one, and what a killed rebuild left: they still contain what was taken down or expired since.
 * Returns the numbers of the removed generations. A generation under construction stays.
 */
export async function dropFormerGeneration(services: JobsServices): Promise<number[]> {
  const { settings } = services;
  if (!settings.CATALOGUE_URL.startsWith('file:')) return [];
  const files = generationFiles(settings.CATALOGUE_URL);
  const current = await readCurrentGeneration(settings.CATALOGUE_URL);
  await correctPointer(files, current);
  const former = await removeGenerations(files, [current, current + 1]);
  return [...former, ...(await dropDeadBuild(services))];
}

/** Removes what a killed rebuild left. Returns the numbers of the removed generations. */
export async function dropDeadBuild({ settings, catalogue, holder }: JobsServices): Promise<number[]> {
  if (!settings.CATALOGUE_URL.startsWith('file:')) return [];
  // With the lease, no rebuild is at work.
  const done = await withLease(catalogue, 'rebuild', { holder }, () => sweep(settings.CATALOGUE_URL));
  return done.acquired ? done.result : [];
}

/** Removes builds that never went live. Returns their numbers. */
async function sweep(url: string): Promise<number[]> {
  const current = await readCurrentGeneration(url);
  return removeGenerations(generationFiles(url), [current - 1, current]);
}

/** Corrects the pointer if a rebuild was killed right after its switch: each generation records its successor. */
async function correctPointer(files: GenerationFiles, current: number): Promise<void> {
  if (current === 1 && !existsSync(pointerPath(files))) return;
  if ((await readPointer(files)) !== current) await writePointer(files, current);
}

/** @throws ExpectedFault if the disk of a folder does not have `size` free bytes */
export async function requireRoom(folder: string, size: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= size) return;
  throw new ExpectedFault(
    `a rebuild needs ${size} bytes on the disk of ${folder}, and ${free} are free: make room there first`,
  );
}
