import { serveParent } from '../../schema/process/serve.ts';
import { compileJob, type Question } from './job.ts';

/** A worker process: runs one job at a time. It opens no database. */
serveParent<Question>(({ id, ...job }) => compileJob(job));
