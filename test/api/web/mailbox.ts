import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A mail server on loopback that keeps what it is sent. */
export interface Mailbox {
  url: string;
  /** Whole messages, headers and all, soft line breaks undone. */
  mails: string[];
  /** Where each of them goes back to if nobody takes it. */
  returns: string[];
  close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  const returns: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, (mail, from) => {
      mails.push(mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='));
      returns.push(from);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    returns,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As much of RFC 5321 as one sender needs. */
function serve(socket: Socket, keep: (mail: string, from: string) => void): void {
  let buffered = '';
  let inMail = false;
  let from = '';
  socket.on('error', () => socket.destroy());
  socket.write('220 loopback\r\n');
  socket.on('data', (bytes) => {
    buffered += bytes.toString('latin1');
    for (;;) {
      const end = buffered.indexOf(inMail ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const part = buffered.slice(0, end);
      buffered = buffered.slice(end + (inMail ? 5 : 2));
      from = /^MAIL FROM:<([^>]*)>/i.exec(part)?.[1] ?? from;
      if (inMail) keep(part, from);
      inMail = !inMail && /^DATA/i.test(part);
      socket.write(inMail ? '354 go on\r\n' : /^QUIT/i.test(part) ? '221 bye\r\n' : '250 ok\r\n');
    }
  });
}
