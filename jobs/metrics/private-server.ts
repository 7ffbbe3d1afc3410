import { findDatabaseFault, findRemarks } from '../../schema/db/readiness.ts';
import { listen } from '../../schema/process/listen.ts';
import { answerOperator, type Readiness, shareAnswers } from '../../schema/process/operator-answers.ts';
import { createPrivateServer } from '../../schema/process/private-server.ts';
import { checkSearch } from '../../search/index/health.ts';
import type { JobsServices } from '../process/services.ts';
import type { JobMetrics } from './registry.ts';

export interface PrivateServer {
  url: string;
  close(): Promise<void>;
}

/** For the operator only. @throws BadSettings where the address cannot be listened on. */
export async function startPrivateServer(
  { settings, log }: Pick<JobsServices, 'settings' | 'log'>,
  { metrics, checkReadiness }: { metrics: JobMetrics; checkReadiness(): Promise<Readiness> },
): Promise<PrivateServer> {
  const answers = shareAnswers({ checkReadiness, writeMetrics: metrics.render }, log);
  const server = createPrivateServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    void answerOperator(answers, path, log, response);
  });
  const url = await listen(server, settings, { host: 'PRIVATE_HOST', port: 'JOBS_PRIVATE_PORT' });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A connection without a request, such as a probe of the port, would delay the end of the process by a minute.
        server.closeAllConnections();
      }),
  };
}

/**
 * Whether jobs can run: the timetable is followed, and both databases are at this version and writable. Search and the store of
 * exports may be down: both are filled when they return.
 */
export async function checkJobsReadiness(
  { catalogue, accounts, search, findExportFault }: JobsServices,
  isAtWork: boolean,
): Promise<Readiness> {
  const [{ said }, exports, ...found] = await Promise.all([
    checkSearch(search),
    findExportFault(),
    isAtWork ? null : 'the timetable is not followed yet, or not any more',
    findDatabaseFault(catalogue, 'catalogue', { writable: true }),
    findDatabaseFault(accounts, 'accounts', { writable: true }),
  ]);
  const remarks = [said, exports, ...findRemarks(catalogue)].flatMap((remark) => remark || []);
  return { faults: found.flatMap((fault) => fault ?? []), remarks };
}
