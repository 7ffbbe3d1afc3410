import passwords from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const mark = Symbol.for('hashes quickly');
const { scrypt } = passwords;
/** The minimum cost of a password hash, as rounds times block size: the present cost in the auth library. */
const LEAST = 16_384 * 16;

type Done = (error: Error | null, key: Buffer) => void;

/** Checks the cost of a password hash, and hashes for a thousandth of that: tests sign up hundreds of people. */
function hashQuickly(
  password: string,
  salt: string,
  length: number,
  options: passwords.ScryptOptions,
  done: Done,
): void {
  const { N = 0, r = 0 } = options;
  if (N * r < LEAST) done(new Error(`a password is hashed too cheaply: ${JSON.stringify(options)}`), Buffer.alloc(0));
  else scrypt(password, salt, length, { ...options, N: 16 }, done);
}

// One worker runs many test files, and this file before each of them.
if (!(mark in scrypt)) {
  passwords.scrypt = Object.assign(hashQuickly, { [mark]: true }) as unknown as typeof scrypt;
  syncBuiltinESMExports();
}
