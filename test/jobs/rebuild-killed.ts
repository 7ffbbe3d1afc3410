import { openJobs, rebuild } from './rebuilt-house.ts';

/** A rebuild that is killed, without a chance to tidy up, when it comes to a stage: `rebuild-killed.ts <folder> <stage>`. */
const [folder = '', stage = ''] = process.argv.slice(2);
const jobs = await openJobs(folder);
await rebuild(jobs, {
  onProgress: (progress) => {
    if (progress.stage === stage) process.kill(process.pid, 'SIGKILL');
  },
});
