import { Type } from 'typebox'
import { type Config, defineSetting } from '../../foundation/config/config.ts'
import type { CdnAccess } from './cdn.ts'

export const provider = defineSetting(
  'cdn.provider',
  Type.String({
    tier: 'infrastructure',
    default: '',
    title: 'CDN',
    description: 'fastly, cloudflare, varnish, souin, signed, or one of a plugin; empty: there is none',
  }),
)

const url = defineSetting(
  'cdn.url',
  Type.String({
    tier: 'infrastructure',
    default: '',
    title: 'Address for purges',
    description: 'The http(s) address that purges are sent to; empty for the usual one of the vendor',
  }),
  (value: string) =>
    value === '' || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
      ? undefined
      : {
          severity: 'fatal',
          message: 'is not an http or https address',
          remedy: 'give it whole, such as https://cache.example.com/purge, or leave it empty',
        },
)

const service = defineSetting(
  'cdn.service',
  Type.String({
    tier: 'infrastructure',
    default: '',
    title: 'Service or zone',
    description: 'The id of the service (Fastly) or zone (Cloudflare)',
  }),
)

const token = defineSetting(
  'cdn.token',
  Type.String({
    tier: 'secret',
    default: '',
    env: 'SVC_CDN_TOKEN',
    title: 'Token for purges',
    description: 'Allows purging by tag; for `signed` it is the secret that calls are signed with',
  }),
)

export const allowPrivateNetworks = defineSetting(
  'cdn.allowPrivateNetworks',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Private CDN',
    description:
      'Lets purges go to private and loopback addresses in production, where a cache beside the service is',
  }),
)

export const purgesPerMinute = defineSetting(
  'cdn.purgesPerMinute',
  Type.Integer({
    tier: 'runtime',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    title: 'Purges within a minute',
    description:
      'How many calls the CDN takes within a minute; 0: as many as the smallest plan of the vendor allows',
  }),
)

export const secondPurgeMs = defineSetting(
  'cdn.secondPurgeMs',
  Type.Integer({
    tier: 'runtime',
    default: 5_000,
    minimum: 0,
    maximum: 60_000,
    title: 'Pause before the second purge',
    description:
      'Milliseconds after which tags are purged again: answers may have been on their way during the first time',
  }),
)

/** All settings of the plugin. */
export const cdnSettings = [
  provider,
  url,
  service,
  token,
  allowPrivateNetworks,
  purgesPerMinute,
  secondPurgeMs,
]

/** The access settings by their property names. */
export const accessSettings = { url, service, token } as const

export function accessOf(config: Config): CdnAccess {
  return { url: config.get(url), service: config.get(service), token: config.get(token) }
}
