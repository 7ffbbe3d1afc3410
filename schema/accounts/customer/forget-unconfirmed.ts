import type { Statement } from '../../db/interface.ts';

const UNCONFIRMED_DAYS = 7;
const DAY_MS = 86_400_000;

/** Lets go of who signed up and never confirmed the address, and of sessions and links that have expired. */
export function forgetStatements(now: Date): Statement[] {
  const oldest = now.getTime() - UNCONFIRMED_DAYS * DAY_MS;
  const unconfirmed = `SELECT id FROM auth_user u WHERE email_verified = 0 AND created_at < ?
    AND NOT EXISTS (SELECT 1 FROM account WHERE user_id = u.id)`;
  return [
    { sql: `DELETE FROM auth_account WHERE user_id IN (${unconfirmed})`, args: [oldest] },
    { sql: `DELETE FROM auth_user WHERE id IN (${unconfirmed})`, args: [oldest] },
    { sql: 'DELETE FROM auth_session WHERE expires_at < ?', args: [now.getTime()] },
    { sql: 'DELETE FROM sign_up_day WHERE day < ?', args: [now.toISOString().slice(0, 10)] },
    { sql: 'DELETE FROM auth_verification WHERE expires_at < ?', args: [now.getTime()] },
  ];
}
