import { readSigned, signText } from '../../text/signed.ts';

const PURPOSE = ['watch mails'];

/** What the link at the foot of a watch's mails carries: whoever has the mail may end them, and nothing else. */
export function stopToken(watchId: string, secret: string): string {
  return signText({ secret, purpose: PURPOSE }, watchId);
}

/** The watch that a link ends the mails of; null where it is not ours. */
export function readStopToken(token: string, secret: string): string | null {
  return readSigned({ secret, purpose: PURPOSE }, token);
}
