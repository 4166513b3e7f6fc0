import {
  type Config,
  defineSetting,
  type Environment,
  type Setting,
  type SettingProblem,
} from '../config/config.ts'

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

/** True for a secret that anyone could guess: none, or one that examples use. */
export function isInsecureSecret(secret: string): boolean {
  return secret.trim() === '' || wellKnownSecrets.has(secret.trim().toLowerCase())
}

export const jwtSecret = defineSetting<string>({
  key: 'jwt.secret',
  tier: 'secret',
  type: 'string',
  default: '',
  env: 'JWT_SECRET',
  label: 'Token secret',
  description: 'Signs the tokens of admin and content users; changing it signs everybody out',
  check: checkJwtSecret,
})

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

/** Seconds of a lifetime such as `15m` or `7d`; undefined if it is not one of 1 second to 10 years. */
export function parseLifetime(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})\s?([smhdw])$/.exec(text.trim()) ?? []
  const seconds = Number(count) * (unitSeconds[unit ?? ''] ?? Number.NaN)
  return seconds >= 1 && seconds <= maxLifetimeSeconds ? seconds : undefined
}

export const jwtLifetime = defineSetting<string>({
  key: 'jwt.expiresIn',
  tier: 'secret',
  type: 'string',
  default: '7d',
  env: 'JWT_EXPIRES_IN',
  label: 'Token lifetime',
  description: 'How long a sign-in lasts: a number and one of s, m, h, d, w',
  check: (text) =>
    parseLifetime(text) === undefined
      ? {
          severity: 'fatal',
          message: 'is not a lifetime of 1 second to 10 years',
          remedy: 'write a number and a unit (s, m, h, d, w), e.g. 15m or 7d',
        }
      : undefined,
})

/** How long a session lasts; its setting has been checked. */
export function sessionLifetimeSeconds(config: Config): number {
  const text = config.get(jwtLifetime)
  const seconds = parseLifetime(text)
  if (seconds === undefined) throw new Error(`${text} is not a lifetime`)
  return seconds
}

export const passwordResetSecret = defineSetting<string>({
  key: 'passwordReset.secret',
  tier: 'secret',
  type: 'string',
  default: '',
  env: 'PASSWORD_RESET_SECRET',
  label: 'Password reset secret',
  description: 'Keys the stored hashes of password reset tokens; derived from JWT_SECRET when not set',
})

export const defaultAdminEmail = defineSetting<string>({
  key: 'firstAdmin.email',
  tier: 'infrastructure',
  type: 'string',
  default: 'admin@example.com',
  env: 'DEFAULT_ADMIN_EMAIL',
  label: 'E-mail of the first admin',
  description: 'Used once, when there is no admin user yet',
  check: (email) =>
    /^[^\s@]+@[^\s@]+$/.test(email)
      ? undefined
      : {
          severity: 'fatal',
          message: 'is not an e-mail address',
          remedy: 'write one, or unset the variable',
        },
})

export const defaultAdminPassword = defineSetting<string>({
  key: 'firstAdmin.password',
  tier: 'secret',
  type: 'string',
  default: '',
  env: 'DEFAULT_ADMIN_PASSWORD',
  label: 'Password of the first admin',
  description: 'Used once, when there is no admin user yet; without it one is made up and printed',
})

export const passwordMinLength: Setting<number> = defineSetting({
  key: 'security.password.minLength',
  tier: 'runtime',
  type: 'integer',
  default: 8,
  min: 8,
  max: 128,
  label: 'Shortest password',
  description: 'Characters that a new password must have at least',
  check: (min, _environment, get) => checkLengths(min, get(passwordMaxLength)),
})

export const passwordMaxLength: Setting<number> = defineSetting({
  key: 'security.password.maxLength',
  tier: 'runtime',
  type: 'integer',
  default: 128,
  min: 64,
  max: 1024,
  label: 'Longest password',
  description: 'Characters that a new password may have at most',
  check: (max, _environment, get) => checkLengths(get(passwordMinLength), max),
})

function checkLengths(min: number, max: number): SettingProblem | undefined {
  if (min <= max) return undefined
  const message = `lets no password pass: at least ${min} and at most ${max} characters`
  return {
    severity: 'fatal',
    message,
    remedy: 'let security.password.minLength be no more than security.password.maxLength',
  }
}

export const passwordRejectCommon = defineSetting<boolean>({
  key: 'security.password.rejectCommon',
  tier: 'runtime',
  type: 'boolean',
  default: true,
  label: 'Refuse common passwords',
  description: 'Refuses new passwords that are among the thousand most common ones',
})

export const loginMaxAttempts = defineSetting<number>({
  key: 'security.login.maxAttempts',
  tier: 'runtime',
  type: 'integer',
  default: 5,
  min: 1,
  max: 1000,
  label: 'Failed logins before the lock',
  description: 'So many failed logins for one identifier within the window lock it',
})

export const loginWindowMinutes = defineSetting<number>({
  key: 'security.login.windowMinutes',
  tier: 'runtime',
  type: 'integer',
  default: 15,
  min: 1,
  max: 1440,
  label: 'Window for failed logins',
  description: 'Minutes within which failed logins are counted',
})

export const loginLockMinutes = defineSetting<number>({
  key: 'security.login.lockMinutes',
  tier: 'runtime',
  type: 'integer',
  default: 15,
  min: 1,
  max: 1440,
  label: 'Length of the lock',
  description: 'Minutes for which a locked identifier is answered 429',
})

export const loginMaxPerAddress = defineSetting<number>({
  key: 'security.login.maxPerAddress',
  tier: 'runtime',
  type: 'integer',
  default: 30,
  min: 1,
  max: 1_000_000,
  label: 'Failed logins of an address',
  description: 'So many failed logins in a minute one client address may make, a /64 of IPv6 being one',
})

export const loginMaxPerNetwork = defineSetting<number>({
  key: 'security.login.maxPerNetwork',
  tier: 'runtime',
  type: 'integer',
  default: 150,
  min: 1,
  max: 1_000_000,
  label: 'Failed logins of a network',
  description: 'So many failed logins in a minute may come from one network: a /24 of IPv4, a /48 of IPv6',
})

export const registrationEnabled = defineSetting<boolean>({
  key: 'security.registration.enabled',
  tier: 'runtime',
  type: 'boolean',
  default: true,
  label: 'Open registration',
  description: 'Whether visitors may register as content users themselves',
})

/** All of them, to be contributed. */
export const authSettings = [
  jwtSecret,
  jwtLifetime,
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
]
