import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createMailbox } from '../../kernel/index.ts'

/** Hashes and checks passwords with argon2id, off the main thread and few at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Takes as long without a hash (undefined or empty) as with one, so that the time does not tell whether an account
   * exists or has a password. False for a damaged hash.
   */
  matches(passwordHash: string | undefined, password: string): Promise<boolean>
}

/** The second recommendation of the OWASP cheat sheet on password storage; memory in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of a random password and of the same cost, to be checked where there is no account or no password. */
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$mkjSnp+0i2T1cRiRk1ynAA$EBRvlniGCEvn3ocOuLP6bTUs9wHeZESSVoidpB5P8cY'

/** Makes a hasher; `lanes` is how many hashes are computed at the same time. */
export function createPasswordHasher(lanes = defaultLanes()): PasswordHasher {
  const mailboxes = Array.from({ length: lanes }, createMailbox)
  let turn = 0
  const run = <T>(task: () => Promise<T>): Promise<T> => {
    const mailbox = mailboxes[turn++ % lanes] ?? createMailbox()
    return mailbox.run(task)
  }
  return {
    hash: (password) => run(() => hash(normalize(password), cost)),
    async matches(passwordHash, password) {
      const isMatch = await run(() => verify(passwordHash || decoy, normalize(password)).catch(() => false))
      return isMatch && Boolean(passwordHash)
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
