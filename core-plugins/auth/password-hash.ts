import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createMailbox } from '../../kernel/index.ts'

/** Hashes and checks passwords with argon2id, off the main thread and few at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Takes as long without a hash as with one, so that the time does not tell whether an account exists.
   * False for a damaged hash.
   */
  matches(passwordHash: string | undefined, password: string): Promise<boolean>
}

/** Makes a hasher; `lanes` is how many hashes are computed at the same time. */
export function createPasswordHasher(lanes = defaultLanes()): PasswordHasher {
  const mailboxes = Array.from({ length: lanes }, createMailbox)
  let turn = 0
  const run = <T>(task: () => Promise<T>): Promise<T> => {
    const mailbox = mailboxes[turn++ % lanes] ?? createMailbox()
    return mailbox.run(task)
  }
  const hashPassword = (password: string) => run(() => hash(normalize(password)))
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  return {
    hash: hashPassword,
    async matches(passwordHash, password) {
      const against = passwordHash ?? (await decoy)
      const isMatch = await run(() => verify(against, normalize(password)).catch(() => false))
      return isMatch && passwordHash !== undefined
    },
  }
}

// libuv has four threads for everything: hashing must leave some to files and name look-ups, and each
// hash holds 19 MiB while it runs.
function defaultLanes(): number {
  return Math.min(3, Math.max(1, availableParallelism() - 1))
}

// The same password typed on another system may be composed differently (é as one character or as two).
function normalize(password: string): string {
  return password.normalize('NFKC')
}
