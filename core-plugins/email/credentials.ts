import type { Config } from '../config/config.ts'
import { emailHost, emailPassword, emailPort, emailUser } from './settings.ts'

/** What is sent to sign in at the server. */
export interface Credentials {
  readonly user: string
  readonly pass: string
}

/** Undefined where nobody signs in. */
export function credentialsOf(config: Config): Credentials | undefined {
  const user = config.get(emailUser)
  if (user === '' || isWithheld(config)) return undefined
  return { user, pass: config.get(emailPassword) }
}

/**
 * Whether there is a password that is not sent, because it is not known to be meant for this server: whoever sets the
 * password says by the same means, the environment or the config file, what it is for.
 */
export function isWithheld(config: Config): boolean {
  if (config.get(emailPassword) === '') return false
  return [emailHost, emailPort, emailUser].some((setting) => config.sourceOf(setting) === 'database')
}
