import { defineSetting, type Setting } from './setting.ts'

/** What a service for social login knows this one by. */
export interface SocialLoginKeys {
  /** Empty where the provider is not used. */
  readonly id: Setting<string>
  readonly secret: Setting<string>
}

/** The keys of every provider that content users may sign in with; specification, "Configuration settings". */
export const socialLogin = {
  google: declareKeys('google', 'Google', 'CLIENT'),
  github: declareKeys('github', 'GitHub', 'CLIENT'),
  facebook: declareKeys('facebook', 'Facebook', 'APP'),
  vk: declareKeys('vk', 'VK', 'APP'),
} as const

function declareKeys(provider: string, label: string, application: 'CLIENT' | 'APP'): SocialLoginKeys {
  const prefix = `${provider.toUpperCase()}_${application}`
  const secret = defineSetting({
    key: `socialLogin.${provider}.secret`,
    tier: 'secret',
    type: 'string',
    default: '',
    label: `${label} secret`,
    description: `The secret that ${label} gave for signing in.`,
    env: `${prefix}_SECRET`,
  })
  const id = defineSetting({
    key: `socialLogin.${provider}.id`,
    tier: 'secret',
    type: 'string',
    default: '',
    label: `${label} id`,
    description: `The id that ${label} gave for signing in; empty switches signing in with ${label} off.`,
    env: `${prefix}_ID`,
    check(value, _environment, get) {
      if (value === '' || get(secret) !== '') return undefined
      return {
        severity: 'warning',
        message: `is set without ${prefix}_SECRET, so nobody can sign in with ${label}`,
        remedy: `set ${prefix}_SECRET, too, or remove ${prefix}_ID`,
      }
    },
  })
  return { id, secret }
}
