import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from '../sign-in/fair-queue.ts'

/**
 * Hashes and verifies passwords with argon2id, off the main thread and with limited concurrency. `source` identifies the
 * beneficiary, such as the client's address; sources take turns.
 */
export interface PasswordHasher {
  /** @throws AppError 503 if too many calls are waiting */
  hash(password: string, source?: string): Promise<string>
  /**
   * Takes the same time without a hash (undefined or empty), so that the timing does not reveal whether an account exists or
   * has a password. False for a corrupt hash.
   * @throws AppError 503 if too many calls are waiting
   */
  matches(passwordHash: string | undefined, password: string, source?: string): Promise<boolean>
}

interface PasswordCost {
  /** `memoryCost` in KiB. */
  readonly options: { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number }
  /** The hash of a random password with these options, which is verified if the account or its password does not exist. */
  readonly decoy: string
}

/** The second recommendation of the OWASP cheat sheet on password storage. */
const protectiveCost: PasswordCost = {
  options: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  decoy: '$argon2id$v=19$m=19456,t=2,p=1$mkjSnp+0i2T1cRiRk1ynAA$EBRvlniGCEvn3ocOuLP6bTUs9wHeZESSVoidpB5P8cY',
}

/** Deliberately weak: tests create thousands of short-lived accounts. */
const testCost: PasswordCost = {
  options: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
  decoy: '$argon2id$v=19$m=1024,t=1,p=1$mXH/RfKugwVmtlv5qu+2nw$WSlYLv7Zxm8/svT+31qTOsYSm1kOI8TNjQaQvJtPY/M',
}

/** A hash takes about 50 ms of a core, so this bounds the wait to a few seconds. */
const waitingPerLane = 48

export interface PasswordHasherOptions {
  /** Uses weak hashes that are cheap to compute. */
  readonly isTest?: boolean
  /** The number of concurrent hash computations. */
  readonly lanes?: number
}

/** Creates a hasher. */
export function createPasswordHasher({
  isTest = false,
  lanes = defaultLanes(),
}: PasswordHasherOptions = {}): PasswordHasher {
  const { options, decoy } = isTest ? testCost : protectiveCost
  const queue = createFairQueue({ lanes, maxWaiting: lanes * waitingPerLane })
  return {
    hash: (password, source = '') => queue.run(source, () => hash(normalize(password), options)),
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
