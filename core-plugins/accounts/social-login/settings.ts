import { Type } from 'typebox'
import {
  type Config,
  defineSetting,
  type Environment,
  type Setting,
  type SettingProblem,
  siteUrl,
} from '../../foundation/config/config.ts'
import { providerKeys } from './provider-keys.ts'
import type { EndpointName, Endpoints } from './providers/provider-kind.ts'
import { type ProviderName, providerKinds, providerNames } from './providers/providers.ts'

/** Endings of the variables: `OAUTH_GOOGLE_AUTHORIZE_URL`. */
const variables: Readonly<Record<EndpointName, string>> = {
  authorize: 'AUTHORIZE_URL',
  token: 'TOKEN_URL',
  userinfo: 'USERINFO_URL',
  emails: 'EMAILS_URL',
  jwks: 'JWKS_URL',
  issuer: 'ISSUER',
}

type EndpointSettings = Readonly<Partial<Record<EndpointName, Setting<string>>>>

const endpointSettings = Object.fromEntries(
  providerNames.map((name) => [name, endpointSettingsOf(name)]),
) as Readonly<Record<ProviderName, EndpointSettings>>

function endpointSettingsOf(provider: ProviderName): EndpointSettings {
  const { label, endpoints } = providerKinds[provider]
  const names = Object.keys(endpoints) as EndpointName[]
  return Object.fromEntries(
    names.map((name) => {
      const address = endpoints[name] ?? ''
      const setting = defineSetting(
        `socialLogin.${provider}.${name}`,
        Type.String({
          tier: 'infrastructure',
          default: address,
          env: `OAUTH_${provider.toUpperCase()}_${variables[name]}`,
          title: `${label}: ${name}`,
          description: `An address of ${label}'s sign-in; for tests, or for a service that behaves the same.`,
        }),
        (value, environment) =>
          value === address || name === 'issuer' ? undefined : checkAddress(value, environment),
      )
      return [name, setting]
    }),
  )
}

function checkAddress(value: string, environment: Environment): SettingProblem | undefined {
  const remedy = 'give it whole, such as https://id.example.com/token'
  if (!URL.canParse(value)) return { severity: 'fatal', message: 'is not an address', remedy }
  const { protocol } = new URL(value)
  if (protocol === 'https:') return undefined
  if (protocol !== 'http:') return { severity: 'fatal', message: 'is not an http or https address', remedy }
  if (environment === 'development') return undefined
  const message = 'is not encrypted, so others can read secrets on their way'
  return { severity: 'warning', message, remedy: 'use https' }
}

export const callbackOrigin = defineSetting(
  'security.socialLogin.callbackOrigin',
  Type.String({
    tier: 'runtime',
    isReserved: true,
    default: '',
    maxLength: 2_000,
    title: 'Origin for callbacks',
    description:
      'Where providers send browsers back to, as https://api.example.com; that of site.url unless told otherwise.',
  }),
  (value, environment, get) => {
    if (value !== '') return isOrigin(value) ? undefined : noOrigin(value)
    const isUsed = providerNames.some((name) => get(providerKeys[name].id) !== '')
    if (!isUsed || environment === 'development' || get(siteUrl) !== '') return undefined
    return {
      severity: 'warning',
      message:
        'and site.url are empty, so providers send browsers back to the address that the service listens on',
      remedy: 'set SVC_SITE_URL to the public address of the service',
    }
  },
)

export const redirectOrigins = defineSetting(
  'security.socialLogin.redirectOrigins',
  Type.Array(Type.String({ maxLength: 2_000 }), {
    tier: 'runtime',
    isReserved: true,
    default: [],
    title: 'Origins of frontends',
    description:
      'Web origins such as https://www.example.com whose pages may be handed the token of a social login.',
  }),
  (value) => {
    const wrong = value.find((each) => !isOrigin(each))
    return wrong === undefined ? undefined : noOrigin(wrong)
  },
)

export const keepPassword = defineSetting(
  'security.socialLogin.keepPassword',
  Type.Boolean({
    tier: 'runtime',
    default: false,
    title: 'Keep passwords of joined accounts',
    description:
      'Whether an account keeps its password and sessions when its owner first signs in at a provider. Only where ' +
      'registration checks addresses: otherwise whoever registered with the address first could stay in the account.',
  }),
)

export const timeoutMs = defineSetting(
  'socialLogin.timeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 10_000,
    minimum: 100,
    maximum: 60_000,
    title: 'Time for providers',
    description:
      'How long a provider may take to tell who has signed in, all its answers together, in milliseconds.',
  }),
)

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function noOrigin(text: string): SettingProblem {
  return {
    severity: 'fatal',
    message: `has "${text}", which is not an origin`,
    remedy: 'write scheme, host and port only, such as https://www.example.com',
  }
}

/** All of them, to contribute. */
export const socialLoginSettings: readonly Setting<unknown>[] = [
  ...Object.values(providerKeys).flatMap(({ id, secret }) => [id, secret]),
  ...Object.values(endpointSettings).flatMap((settings) => Object.values(settings)),
  callbackOrigin,
  redirectOrigins,
  keepPassword,
  timeoutMs,
] as readonly Setting<unknown>[]

/** A provider for which this deployment has keys. */
export interface Provider {
  readonly name: ProviderName
  readonly label: string
  readonly clientId: string
  readonly clientSecret: string
  readonly endpoints: Endpoints
  /**
   * Whether ID tokens are requested and checked. False if the token endpoint was replaced and its keys are unknown
   * (no OAUTH_GOOGLE_JWKS_URL): the user is then requested as from a provider of plain OAuth 2.
   */
  readonly isOpenId: boolean
}

/** Those with an id and a secret. */
export function configuredProviders(config: Config): Provider[] {
  return providerNames.flatMap((name) => {
    const clientId = config.get(providerKeys[name].id)
    const clientSecret = config.get(providerKeys[name].secret)
    if (clientId === '' || clientSecret === '') return []
    const { label } = providerKinds[name]
    const endpoints = endpointsOf(name, config)
    return [{ name, label, clientId, clientSecret, endpoints, isOpenId: isOpenId(name, endpoints) }]
  })
}

function endpointsOf(name: ProviderName, config: Config): Endpoints {
  const values = Object.entries(endpointSettings[name]).map(([key, setting]) => [key, config.get(setting)])
  return Object.fromEntries(values) as unknown as Endpoints
}

function isOpenId(name: ProviderName, { token, jwks }: Endpoints): boolean {
  const own = providerKinds[name].endpoints
  return jwks !== undefined && (token === own.token || jwks !== own.jwks)
}
