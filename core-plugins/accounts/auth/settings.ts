import { Type } from 'typebox'
import {
  type Config,
  defineSetting,
  type Environment,
  type Setting,
  type SettingProblem,
} from '../../foundation/config/config.ts'

const wellKnownSecrets = new Set([
  'secret',
  'changeme',
  'change-me',
  'change_me',
  'change-this',
  'change-this-secret',
  'your-secret-key',
  'your_secret_key',
  'your-secret',
  'your-jwt-secret',
  'your_jwt_secret',
  'your-super-secret-key',
  'supersecret',
  'super-secret',
  'jwt-secret',
  'jwt_secret',
  'jwtsecret',
  'mysecret',
  'my-secret',
  'my-secret-key',
  'secretkey',
  'secret-key',
  'password',
  'default',
  'development',
  'test',
])

const remedy = 'set it to 32 or more random characters, e.g. from `openssl rand -base64 48`'

/** True for a guessable secret: an empty one, or one used in examples. */
export function isInsecureSecret(secret: string): boolean {
  return secret.trim() === '' || wellKnownSecrets.has(secret.trim().toLowerCase())
}

export const jwtSecret = defineSetting(
  'jwt.secret',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'JWT_SECRET',
    title: 'Token secret',
    description: 'Signs the tokens of admin and content users; changing it signs everybody out',
  }),
  checkJwtSecret,
)

function checkJwtSecret(secret: string, environment: Environment): SettingProblem | undefined {
  const isProduction = environment === 'production'
  if (isInsecureSecret(secret)) {
    const what = secret.trim() === '' ? 'is missing' : 'is a well-known example'
    return isProduction
      ? { severity: 'fatal', message: what, remedy }
      : { severity: 'warning', message: `${what}; sessions end when this process does`, remedy }
  }
  if (isProduction && secret.length < 16) {
    return { severity: 'warning', message: 'is shorter than 16 characters', remedy }
  }
  return undefined
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const maxLifetimeSeconds = 10 * 366 * 86_400

/** The seconds of a lifetime such as `15m` or `7d`; undefined unless between 1 second and 10 years. */
export function parseLifetime(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})\s?([smhdw])$/.exec(text.trim()) ?? []
  const seconds = Number(count) * (unitSeconds[unit ?? ''] ?? Number.NaN)
  return seconds >= 1 && seconds <= maxLifetimeSeconds ? seconds : undefined
}

export const jwtLifetime = defineSetting(
  'jwt.expiresIn',
  Type.String({
    tier: 'secret',
    default: '7d',
    env: 'JWT_EXPIRES_IN',
    title: 'Token lifetime',
    description: 'How long a sign-in lasts: a number and one of s, m, h, d, w',
  }),
  (text) =>
    parseLifetime(text) === undefined
      ? {
          severity: 'fatal',
          message: 'is not a lifetime of 1 second to 10 years',
          remedy: 'write a number and a unit (s, m, h, d, w), e.g. 15m or 7d',
        }
      : undefined,
)

/** How long a session lasts; the setting is already checked. */
export function sessionLifetimeSeconds(config: Config): number {
  const text = config.get(jwtLifetime)
  const seconds = parseLifetime(text)
  if (seconds === undefined) throw new Error(`${text} is not a lifetime`)
  return seconds
}

export const secureCookies = defineSetting(
  'auth.secureCookies',
  Type.Boolean({
    tier: 'infrastructure',
    default: true,
    title: 'Cookies over https only',
    description:
      'Browsers keep the session of the panel for encrypted connections only; by default in production. Without, a panel in a trusted network stays signed in over http',
  }),
  (isSecure, environment) =>
    isSecure || environment !== 'production'
      ? undefined
      : {
          severity: 'warning',
          message: 'is off: sessions of the panel are sent over connections that others may read',
          remedy: 'serve the panel by https, and leave this unset',
        },
)

/** Whether cookies are sent only over encrypted connections. */
export function areCookiesSecure(config: Config): boolean {
  return config.sourceOf(secureCookies) === 'default'
    ? config.environment === 'production'
    : config.get(secureCookies)
}

export const passwordResetSecret = defineSetting(
  'passwordReset.secret',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'PASSWORD_RESET_SECRET',
    title: 'Password reset secret',
    description: 'Keys the stored hashes of password reset tokens; derived from JWT_SECRET when not set',
  }),
)

export const defaultAdminEmail = defineSetting(
  'firstAdmin.email',
  Type.String({
    tier: 'infrastructure',
    default: 'admin@example.com',
    env: 'DEFAULT_ADMIN_EMAIL',
    title: 'E-mail of the first admin',
    description: 'Used once, when there is no admin user yet',
  }),
  (email) =>
    /^[^\s@]+@[^\s@]+$/.test(email)
      ? undefined
      : {
          severity: 'fatal',
          message: 'is not an e-mail address',
          remedy: 'write one, or unset the variable',
        },
)

export const defaultAdminPassword = defineSetting(
  'firstAdmin.password',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'DEFAULT_ADMIN_PASSWORD',
    title: 'Password of the first admin',
    description: 'Used once, when there is no admin user yet; without it one is made up and printed',
  }),
)

export const passwordMinLength: Setting<number> = defineSetting(
  'security.password.minLength',
  Type.Integer({
    tier: 'runtime',
    default: 8,
    minimum: 8,
    maximum: 128,
    title: 'Shortest password',
    description: 'Characters that a new password must have at least',
  }),
  (min, _environment, get) => checkLengths(min, get(passwordMaxLength)),
)

export const passwordMaxLength: Setting<number> = defineSetting(
  'security.password.maxLength',
  Type.Integer({
    tier: 'runtime',
    default: 128,
    minimum: 64,
    maximum: 1024,
    title: 'Longest password',
    description: 'Characters that a new password may have at most',
  }),
  (max, _environment, get) => checkLengths(get(passwordMinLength), max),
)

function checkLengths(min: number, max: number): SettingProblem | undefined {
  if (min <= max) return undefined
  const message = `lets no password pass: at least ${min} and at most ${max} characters`
  return {
    severity: 'fatal',
    message,
    remedy: 'let security.password.minLength be no more than security.password.maxLength',
  }
}

export const passwordRejectCommon = defineSetting(
  'security.password.rejectCommon',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'Refuse common passwords',
    description: 'Refuses new passwords that are among the thousand most common ones',
  }),
)

export const loginMaxAttempts = defineSetting(
  'security.login.maxAttempts',
  Type.Integer({
    tier: 'runtime',
    default: 5,
    minimum: 1,
    maximum: 1000,
    title: 'Failed logins before the lock',
    description: 'So many failed logins for one identifier within the window lock it',
  }),
)

export const loginWindowMinutes = defineSetting(
  'security.login.windowMinutes',
  Type.Integer({
    tier: 'runtime',
    default: 15,
    minimum: 1,
    maximum: 1440,
    title: 'Window for failed logins',
    description: 'Minutes within which failed logins are counted',
  }),
)

export const loginLockMinutes = defineSetting(
  'security.login.lockMinutes',
  Type.Integer({
    tier: 'runtime',
    default: 15,
    minimum: 1,
    maximum: 1440,
    title: 'Length of the lock',
    description: 'Minutes for which a locked identifier is answered 429',
  }),
)

export const loginMaxPerAddress = defineSetting(
  'security.login.maxPerAddress',
  Type.Integer({
    tier: 'runtime',
    default: 30,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Failed logins of an address',
    description: 'So many failed logins in a minute one client address may make, a /64 of IPv6 being one',
  }),
)

export const loginMaxPerNetwork = defineSetting(
  'security.login.maxPerNetwork',
  Type.Integer({
    tier: 'runtime',
    default: 150,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Failed logins of a network',
    description: 'So many failed logins in a minute may come from one network: a /24 of IPv4, a /48 of IPv6',
  }),
)

export const registrationEnabled = defineSetting(
  'security.registration.enabled',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'Open registration',
    description: 'Whether visitors may register as content users themselves',
  }),
)

export const registrationMaxPerAddress = defineSetting(
  'security.registration.maxPerAddress',
  Type.Integer({
    tier: 'runtime',
    default: 200,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Registrations of an address',
    description:
      'So many registrations in an hour one client address may ask for, a /64 of IPv6 being one, and its network five times as many',
  }),
)

export const registrationMaxTakenPerAddress = defineSetting(
  'security.registration.maxTakenPerAddress',
  Type.Integer({
    tier: 'runtime',
    default: 20,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Registrations with what is taken',
    description:
      'So many of them may be refused since the e-mail address or the username is taken; whoever tries many learns who has an account',
  }),
)

export const tokenLifetimeDays = defineSetting(
  'security.tokens.defaultLifetimeDays',
  Type.Integer({
    tier: 'runtime',
    default: 90,
    minimum: 1,
    maximum: 3650,
    title: 'Lifetime of API tokens',
    description:
      'Days after which an API token expires that is made without saying when; one that never does must be asked for',
  }),
)

export const tokenWarningDays = defineSetting(
  'security.tokens.warningDays',
  Type.Integer({
    tier: 'runtime',
    default: 14,
    minimum: 0,
    maximum: 365,
    title: 'Warning before API tokens expire',
    description:
      'Days before its end from which an alert warns of an API token that is about to expire; 0 is never',
  }),
)

/** All settings, to be contributed. */
export const authSettings = [
  jwtSecret,
  jwtLifetime,
  secureCookies,
  passwordResetSecret,
  defaultAdminEmail,
  defaultAdminPassword,
  passwordMinLength,
  passwordMaxLength,
  passwordRejectCommon,
  loginMaxAttempts,
  loginWindowMinutes,
  loginLockMinutes,
  loginMaxPerAddress,
  loginMaxPerNetwork,
  registrationEnabled,
  registrationMaxPerAddress,
  registrationMaxTakenPerAddress,
  tokenLifetimeDays,
  tokenWarningDays,
]
