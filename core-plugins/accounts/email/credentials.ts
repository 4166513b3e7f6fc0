import type { Config } from '../../foundation/config/config.ts'
import { emailHost, emailPassword, emailPort, emailUser } from './settings.ts'

/** The credentials for the server. */
export interface Credentials {
  readonly user: string
  readonly pass: string
}

/** Undefined without authentication. */
export function credentialsOf(config: Config): Credentials | undefined {
  const user = config.get(emailUser)
  if (user === '' || isWithheld(config)) return undefined
  return { user, pass: config.get(emailPassword) }
}

/**
 * Whether a password is withheld because it may be meant for another server: password and
 * server must be set by the same means, the environment or the config file.
 */
export function isWithheld(config: Config): boolean {
  if (config.get(emailPassword) === '') return false
  return [emailHost, emailPort, emailUser].some((setting) => config.sourceOf(setting) === 'database')
}
