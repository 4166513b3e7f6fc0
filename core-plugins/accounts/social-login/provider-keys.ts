import { Type } from 'typebox'
import { defineSetting, type Setting } from '../../foundation/config/config.ts'
import type { ProviderKind } from './providers/provider-kind.ts'
import { type ProviderName, providerKinds, providerNames } from './providers/providers.ts'

/** How a provider identifies this service. */
export interface ProviderKeys {
  /** Empty if the provider is not used. */
  readonly id: Setting<string>
  readonly secret: Setting<string>
}

/** The keys of every provider; specification, "Configuration settings". */
export const providerKeys = Object.fromEntries(
  providerNames.map((name) => [name, declareKeys(name, providerKinds[name])]),
) as Readonly<Record<ProviderName, ProviderKeys>>

function declareKeys(provider: ProviderName, { label, keyPrefix }: ProviderKind): ProviderKeys {
  const secret = defineSetting(
    `socialLogin.${provider}.secret`,
    Type.String({
      tier: 'secret',
      default: '',
      title: `${label} secret`,
      description: `The secret that ${label} gave for signing in.`,
      env: `${keyPrefix}_SECRET`,
    }),
  )
  const id = defineSetting(
    `socialLogin.${provider}.id`,
    Type.String({
      tier: 'secret',
      default: '',
      title: `${label} id`,
      description: `The id that ${label} gave for signing in; empty switches signing in with ${label} off.`,
      env: `${keyPrefix}_ID`,
    }),
    (value, _environment, get) => {
      if (value === '' || get(secret) !== '') return undefined
      return {
        severity: 'warning',
        message: `is set without ${keyPrefix}_SECRET, so nobody can sign in with ${label}`,
        remedy: `set ${keyPrefix}_SECRET, too, or remove ${keyPrefix}_ID`,
      }
    },
  )
  return { id, secret }
}
