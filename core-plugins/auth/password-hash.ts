import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from './fair-queue.ts'

/**
 * Hashes and verifies passwords with argon2id, off the main thread and a few at a time. `source` is who it is
 * done for, such as the client's address: sources take turns.
 */
export interface PasswordHasher {
  /** @throws AppError 503 when too many wait */
  hash(password: string, source?: string): Promise<string>
  /**
   * Takes as long without a hash (undefined or empty) as with one, so that the timing does not reveal whether
   * an account exists or has a password. False for a corrupt hash.
   * @throws AppError 503 when too many wait
   */
  matches(passwordHash: string | undefined, password: string, source?: string): Promise<boolean>
}

/** The second recommendation of the OWASP cheat sheet on password storage; memory in KiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a random password, with the same cost, verified if there is no account or no password. */
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$mkjSnp+0i2T1cRiRk1ynAA$EBRvlniGCEvn3ocOuLP6bTUs9wHeZESSVoidpB5P8cY'

/** A hash takes some 50 ms of a core: nobody waits longer than a few seconds. */
const waitingPerLane = 48

/** Creates a hasher; `lanes` is how many hashes are computed at the same time. */
export function createPasswordHasher(lanes = defaultLanes()): PasswordHasher {
  const queue = createFairQueue({ lanes, maxWaiting: lanes * waitingPerLane })
  return {
    hash: (password, source = '') => queue.run(source, () => hash(normalize(password), cost)),
    async matches(passwordHash, password, source = '') {
      const compare = () => verify(passwordHash || decoy, normalize(password)).catch(() => false)
      return (await queue.run(source, compare)) && Boolean(passwordHash)
    },
  }
}

// libuv has four threads for everything: hashing must leave some for files and DNS lookups, and each hash
// holds 19 MiB while it runs.
function defaultLanes(): number {
  return Math.min(3, Math.max(1, availableParallelism() - 1))
}

// The same password typed on another system may be composed differently (é as one character or as two).
function normalize(password: string): string {
  return password.normalize('NFKC')
}
