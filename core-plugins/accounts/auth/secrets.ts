import { createHmac, randomBytes } from 'node:crypto'
import type { Config } from '../../foundation/config/config.ts'
import { isInsecureSecret, jwtSecret, passwordResetSecret } from './settings.ts'

/** The keys of this process; never logged, never stored. */
export interface Secrets {
  readonly sessions: string
  readonly passwordResets: string
  readonly knownDevices: Buffer
  keyFor(purpose: string): Buffer
}

/**
 * Reads them from the settings. In development a guessable secret is replaced with a random one; production
 * does not start with one (see the setting's check).
 */
export function readSecrets(config: Config): Secrets {
  const set = config.get(jwtSecret)
  const sessions = isInsecureSecret(set) ? randomBytes(32).toString('hex') : set
  const keyFor = (purpose: string) => createHmac('sha256', sessions).update(purpose).digest()
  const derived = () => keyFor('password reset').toString('hex')
  return {
    sessions,
    passwordResets: config.get(passwordResetSecret) || derived(),
    knownDevices: keyFor('known devices'),
    keyFor: (purpose) => keyFor(`plugin: ${purpose}`),
  }
}
