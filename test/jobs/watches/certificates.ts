import { generateKeyPairSync, sign } from 'node:crypto';

/** One element of DER (X.690): a tag, a length and the contents. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), contents]);
}

const sequence = (...parts: Buffer[]) => element(0x30, ...parts);
const COMMON_NAME = Buffer.from([0x55, 0x04, 0x03]);
const SUBJECT_ALT_NAME = Buffer.from([0x55, 0x1d, 0x11]);
/** ecdsa-with-SHA256 */
const ALGORITHM = sequence(element(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])));
const utcTime = (instant: Date) =>
  element(0x17, Buffer.from(instant.toISOString().slice(2, 19).replace(/[-:T]/g, '').concat('Z')));

/** A certificate (RFC 5280) that its own key signed, as PEM, with that key. */
export function makeCertificate({ name, from, until }: { name: string; from: Date; until: Date }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(element(0x31, sequence(element(0x06, COMMON_NAME), element(0x0c, Buffer.from(name)))));
  const names = element(0x04, sequence(element(0x82, Buffer.from(name))));
  const toBeSigned = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ALGORITHM,
    subject,
    sequence(utcTime(from), utcTime(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(element(0x06, SUBJECT_ALT_NAME), names))),
  );
  const signature = element(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const base64 = sequence(toBeSigned, ALGORITHM, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
