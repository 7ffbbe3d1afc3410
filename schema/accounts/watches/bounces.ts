import { createHmac } from 'node:crypto';
import type { Database } from '../../db/interface.ts';

/** Characters of a tag: 128 bits. In hex, as mail servers may write the part before the @ in small letters. */
const TAG_CHARS = 32;

/** The tag in the return address of a watch's mails. It can only be used to report that a mail came back. */
function tagOf(watchId: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['watch bounces', watchId]))
    .digest('hex')
    .slice(0, TAG_CHARS);
}

/**
 * Where a watch's mail returns to if it cannot be delivered: `bounces+<tag>@example.org` of `bounces@example.org`.
 * @param address the setting MAIL_BOUNCES
 */
export function returnAddress(address: string, watchId: string, secret: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${tagOf(watchId, secret)}${address.slice(at)}`;
}

/** The tags in a report of mail that failed for good. A report of a delay, or a reply from somebody who is away, has none. */
export function readBounceTags(message: string): string[] {
  // RFC 3464: what a mail server reports about a recipient. Replies from people and their programs have no such line.
  if (!/^action:\s*failed\b/im.test(message)) return [];
  const tags = [...message.matchAll(new RegExp(`\\+([0-9a-f]{${TAG_CHARS}})@`, 'gi'))];
  return [...new Set(tags.map(([, tag = '']) => tag.toLowerCase()))];
}

/** The e-mail address of the account holder whose watch has this tag; null where there is none. */
export async function readBounced(accounts: Database, tags: readonly string[], secret: string): Promise<string | null> {
  const wanted = new Set(tags);
  const watches = await accounts.read<{ id: string; email: string }>({
    sql: `SELECT w.id, u.email FROM watch w JOIN account a ON a.id = w.account_id JOIN auth_user u ON u.id = a.user_id
      WHERE w.webhook IS NULL`,
  });
  return watches.find(({ id }) => wanted.has(tagOf(id, secret)))?.email ?? null;
}

/** Pauses every watch that is mailed to an address, because mail to it came back; returns how many. Their outboxes wait too. */
export async function pauseBounced(accounts: Database, email: string): Promise<number> {
  const [outcome] = await accounts.write([
    {
      sql: `UPDATE watch SET state = 'paused', reason = 'mail_bounced', reason_mailed_at = NULL
        WHERE webhook IS NULL AND state <> 'paused' AND account_id IN
          (SELECT a.id FROM account a JOIN auth_user u ON u.id = a.user_id WHERE lower(u.email) = lower(?))`,
      args: [email],
    },
  ]);
  return outcome?.changes ?? 0;
}
