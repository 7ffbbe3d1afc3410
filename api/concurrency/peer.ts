import {
  BatchRefused,
  DatabaseAway,
  DatabaseBusy,
  DatabaseFault,
  OutcomeUnknown,
  readCode,
} from '../../schema/db/interface.ts';
import { SearchUnavailable } from '../../search/engine.ts';

/** Questions by name, each with its input and answer. */
type Questions<T> = { [K in keyof T]: [asked: unknown, answered: unknown] };

/** The other end of a channel between two processes or threads. */
export interface Peer<Theirs extends Questions<Theirs>> {
  /** @throws an error of the same kind and with the same message as on the other side; another where that side has ended. */
  ask<K extends keyof Theirs & string>(question: K, asked: Theirs[K][0]): Promise<Theirs[K][1]>;
  /** Fails every open question: the other process has ended. */
  lose(): void;
}

/** Answers by question. Whatever they throw reaches the process that asked. */
export type Answers<Ours extends Questions<Ours>> = {
  [K in keyof Ours]: (asked: Ours[K][0]) => Ours[K][1] | Promise<Ours[K][1]>;
};

/** An error as it is sent between processes. */
export interface Fault {
  name: string;
  message: string;
  /** SQLite's code, or empty. */
  code: string;
}

/** Error kinds that callers distinguish. */
const KINDS = [BatchRefused, DatabaseAway, DatabaseBusy, DatabaseFault, OutcomeUnknown, SearchUnavailable];

/** An error of another process whose kind does not matter to callers. */
class PeerFault extends Error {
  override name = 'PeerFault';
}

/** What the asking process receives about an error. */
export function toFault(error: unknown): Fault {
  const { name, message } = error as Error;
  return { name, message, code: readCode(error) };
}

/** The error of another process, with the same kind and code. */
export function toError({ name, message, code }: Fault): Error {
  const cause = new PeerFault(message);
  if (code) Object.assign(cause, { code });
  const Kind = KINDS.find((kind) => kind.name === name);
  return Kind ? new Kind(message, { cause }) : cause;
}

type Message =
  | { id: number; question: string; asked: unknown }
  | { id: number; answered: unknown }
  | { id: number; fault: Fault };

/** This end of the channel. */
export interface Port {
  send(message: object, done: (error: Error | null) => void): void;
  listen(hear: (message: unknown) => void): void;
}

/** Listens to a channel, answers its questions, and lets this side ask. @param gone - the error of a question that was asked and not answered */
export function makePeer<Theirs extends Questions<Theirs>, Ours extends Questions<Ours>>(
  port: Port,
  answers: Answers<Ours>,
  gone: (question: keyof Theirs) => Error = () => new PeerFault('the other process is gone'),
): Peer<Theirs> {
  const open = new Map<
    number,
    { question: keyof Theirs; resolve(answered: unknown): void; reject(error: Error): void }
  >();
  let lastId = 0;
  let isLost = false;
  const lose = () => {
    isLost = true;
    for (const { question, reject } of open.values()) reject(gone(question));
    open.clear();
  };
  const send = (message: Message) =>
    port.send(message, (error) => {
      if (error) lose();
    });
  port.listen(async (received) => {
    const message = received as Message;
    if ('question' in message) return send(await answer(answers, message));
    const asked = open.get(message.id);
    open.delete(message.id);
    if ('fault' in message) asked?.reject(toError(message.fault));
    else asked?.resolve(message.answered);
  });
  return {
    ask(question, asked) {
      if (isLost) return Promise.reject(gone(question));
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        open.set(id, { question, resolve, reject });
        send({ id, question, asked });
      });
    },
    lose,
  };
}

async function answer<Ours extends Questions<Ours>>(
  answers: Answers<Ours>,
  { id, question, asked }: Extract<Message, { question: string }>,
): Promise<Message> {
  try {
    return { id, answered: (await answers[question as keyof Ours](asked as never)) ?? null };
  } catch (error) {
    return { id, fault: toFault(error) };
  }
}
