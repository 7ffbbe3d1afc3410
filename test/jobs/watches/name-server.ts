import { createSocket } from 'node:dgram';

const OF_IPV4 = 1;
const HEADER_BYTES = 12;
/** A zero byte after the name, then the type and the class of the question. */
const AFTER_NAME_BYTES = 5;

/** A name server on loopback. @param findAddress - the IPv4 address of a name; empty: it has none; null: no answer at all */
export async function startNameServer(findAddress: (name: string, isOfIpv4: boolean) => string | null) {
  const socket = createSocket('udp4', (question, { port, address: asker }) => {
    const nameEnd = question.indexOf(0, HEADER_BYTES);
    const end = nameEnd + AFTER_NAME_BYTES;
    const isOfIpv4 = question.readUInt16BE(nameEnd + 1) === OF_IPV4;
    const address = findAddress(readName(question.subarray(HEADER_BYTES, nameEnd)), isOfIpv4);
    if (address === null) return;
    const has = isOfIpv4 && address !== '';
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, has ? 1 : 0, 0, 0, 0, 0]);
    // The name of the question, an address of the internet, kept for no time at all.
    const answer = Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    const parts = [header, question.subarray(HEADER_BYTES, end), ...(has ? [answer] : [])];
    socket.send(Buffer.concat(parts), port, asker);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

/** Labels, each after its length. */
function readName(labels: Buffer): string {
  const read: string[] = [];
  for (let at = 0; at < labels.length; at += 1 + (labels[at] ?? 0))
    read.push(labels.subarray(at + 1, at + 1 + (labels[at] ?? 0)).toString());
  return read.join('.');
}
