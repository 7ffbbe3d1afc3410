import { openJobs, rebuild } from './filled-services.ts';

/** A rebuild that is killed, without a chance to tidy up, when it comes to a stage: `killed-process.ts <folder> <stage>`. */
const [folder = '', stage = ''] = process.argv.slice(2);
const jobs = await openJobs(folder);
await rebuild(jobs, {
  onProgress: (progress) => {
    if (progress.stage === stage) process.kill(process.pid, 'SIGKILL');
  },
});
