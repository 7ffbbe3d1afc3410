import { openJobs, rebuild } from './filled-services.ts';

/**
 * A rebuild that is killed, without a chance to tidy up, when it has come so far in a stage:
 * `killed-process.ts <folder> <stage> <done> <settings as JSON>`.
 */
const [folder = '', stage = '', done = '0', more = '{}'] = process.argv.slice(2);
const jobs = await openJobs(folder, JSON.parse(more) as Record<string, string>);
await rebuild(jobs, {
  onProgress: (progress) => {
    if (progress.stage === stage && progress.done >= Number(done)) process.kill(process.pid, 'SIGKILL');
  },
});
