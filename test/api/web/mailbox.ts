import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** A mail server on loopback that keeps what it is sent. */
export interface Mailbox {
  url: string;
  /** Whole messages, headers and all, soft line breaks undone. */
  mails: string[];
  /** Every command that came. */
  commands: string[];
  /** Where each of them goes back to if nobody takes it. */
  returns: string[];
  /** Commands that it refuses for good, by how they begin. */
  refused: string[];
  /** How long it takes over a mail before it says that it has it. */
  checksForMs: number;
  close(): Promise<void>;
}

export async function startMailbox(address = '127.0.0.1'): Promise<Mailbox> {
  const mails: string[] = [];
  const commands: string[] = [];
  const returns: string[] = [];
  const refused: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const keep = (mail: string, from: string) => {
      mails.push(mail.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='));
      returns.push(from);
    };
    const isRefused = (command: string) => {
      commands.push(command);
      return refused.some((begin) => command.startsWith(begin));
    };
    serve(socket, keep, { isRefused, checksForMs: () => mailbox.checksForMs });
  });
  server.listen(0, address);
  await once(server, 'listening');
  const mailbox: Mailbox = {
    url: `smtp://${address.includes(':') ? `[${address}]` : address}:${(server.address() as AddressInfo).port}`,
    mails,
    commands,
    returns,
    refused,
    checksForMs: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return mailbox;
}

/** As much of RFC 5321 as one sender needs. */
function serve(
  socket: Socket,
  keep: (mail: string, from: string) => void,
  { isRefused, checksForMs }: { isRefused: (command: string) => boolean; checksForMs: () => number },
): void {
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
      const command = inMail ? 'the end of a mail' : part;
      const answer = isRefused(command) ? '550 no' : answerTo(command);
      const pauseMs = inMail ? checksForMs() : 0;
      inMail = answer.startsWith('354');
      if (pauseMs > 0) setTimeout(() => socket.write(`${answer}\r\n`), pauseMs);
      else socket.write(`${answer}\r\n`);
    }
  });
}

function answerTo(command: string): string {
  if (/^EHLO/i.test(command)) return '250-loopback\r\n250 AUTH PLAIN';
  if (/^DATA/i.test(command)) return '354 go on';
  return /^QUIT/i.test(command) ? '221 bye' : '250 ok';
}
