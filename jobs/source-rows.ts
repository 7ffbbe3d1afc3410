import type { Source } from '../ingest/source.ts';
import type { Statement } from '../schema/database.ts';

/** What the API must know of each source, written from the sources table; how far its ingest is stays as it is. */
export function sourceStatements(sources: readonly Source[]): Statement[] {
  return sources.map(({ id, title, homepage, licence, licenceUrl, attribution, timetable }) => ({
    sql: `INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, homepage = excluded.homepage, licence = excluded.licence,
        licence_url = excluded.licence_url, attribution = excluded.attribution, timetable = excluded.timetable`,
    args: [id, title, homepage, licence, licenceUrl, attribution, timetable],
  }));
}
