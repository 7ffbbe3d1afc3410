import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { JobsHouse } from '../process/services.ts';
import type { Refresh } from './ingest.ts';
import { PROOFS, readProof } from './last-proofs.ts';

/** When backups and the proof of the ledger last went well: an alert needs the time, as what is never done cannot fail. */
export function addProofMetrics({ settings }: JobsHouse, registry: Registry): Refresh {
  const last = new Gauge({
    name: 'proof_last_success_timestamp_seconds',
    help: 'When a backup or `ledger verify` last went well, by name; 0: never.',
    labelNames: ['proof'],
    registers: [registry],
  });
  return async () => {
    for (const proof of PROOFS) last.set({ proof }, await readProof(settings, proof));
  };
}

/** Room on the disk of `DATA_DIR`. NaN while it cannot be asked. */
export function addDiskMetrics({ settings }: JobsHouse, registry: Registry): Refresh {
  const registers = [registry];
  const free = new Gauge({ name: 'data_disk_free_bytes', help: 'Bytes free on the disk of DATA_DIR.', registers });
  const size = new Gauge({ name: 'data_disk_size_bytes', help: 'Bytes that this disk holds.', registers });
  return async () => {
    const disk = await statfs(settings.DATA_DIR).catch(() => ({ bsize: Number.NaN, bavail: 0, blocks: 0 }));
    free.set(disk.bavail * disk.bsize);
    size.set(disk.blocks * disk.bsize);
  };
}
