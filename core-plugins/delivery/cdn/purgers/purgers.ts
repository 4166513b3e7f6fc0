import { signatureOf } from '../../../foundation/outgoing/outgoing.ts'
import type { Purger } from '../cdn.ts'

const json = 'application/json'

const fastly: Purger = {
  name: 'fastly',
  tagHeaders: ['surrogate-key'],
  tagSeparator: ' ',
  policyHeader: 'surrogate-control',
  needs: ['service', 'token'],
  maxTags: 256,
  callsPerMinute: 600,
  hasSoftPurge: true,
  call: ({ tags, isHard }, { url, service, token }) => ({
    method: 'POST',
    url: `${baseOf(url, 'https://api.fastly.com')}/service/${encodeURIComponent(service)}/purge`,
    headers: {
      ...{ 'content-type': json, accept: json, 'fastly-key': token },
      ...(!isHard && { 'fastly-soft-purge': '1' }),
    },
    body: JSON.stringify({ surrogate_keys: tags }),
  }),
}

/** With the call limit of its smallest plan; `cdn.purgesPerMinute` overrides it. */
const cloudflare: Purger = {
  name: 'cloudflare',
  tagHeaders: ['cache-tag'],
  tagSeparator: ',',
  policyHeader: 'cdn-cache-control',
  needs: ['service', 'token'],
  maxTags: 100,
  callsPerMinute: 5,
  hasSoftPurge: false,
  call: ({ tags }, { url, service, token }) => ({
    method: 'POST',
    url: `${baseOf(url, 'https://api.cloudflare.com/client/v4')}/zones/${encodeURIComponent(service)}/purge_cache`,
    headers: { 'content-type': json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ tags }),
  }),
}

/** A tag has 10 characters and a separator of at most 2, so this stays below 7,500 bytes; servers accept 8 KB. */
const tagsInHeader = 600

/** A cache run by the operator, which receives the tags in a header of a PURGE request. */
function headerPurger(
  own: Pick<Purger, 'name' | 'tagSeparator' | 'policyHeader' | 'hasSoftPurge'> & {
    readonly tagHeader: string
    readonly purgeHeader: string
  },
): Purger {
  const { name, tagHeader, purgeHeader, tagSeparator, policyHeader, hasSoftPurge } = own
  return {
    ...{ name, tagSeparator, policyHeader, hasSoftPurge },
    tagHeaders: [tagHeader],
    needs: ['url'],
    maxTags: tagsInHeader,
    callsPerMinute: 6_000,
    call: ({ tags, isHard }, { url, token }) => ({
      method: 'PURGE',
      url,
      headers: {
        [purgeHeader]: tags.join(tagSeparator),
        ...(hasSoftPurge && { 'purge-mode': isHard ? 'hard' : 'soft' }),
        ...bearer(token),
      },
      body: '',
    }),
  }
}

const varnish = headerPurger({
  name: 'varnish',
  tagHeader: 'xkey',
  purgeHeader: 'xkey-purge',
  tagSeparator: ' ',
  policyHeader: 'surrogate-control',
  hasSoftPurge: true,
})

const souin = headerPurger({
  name: 'souin',
  tagHeader: 'surrogate-key',
  purgeHeader: 'surrogate-key',
  tagSeparator: ', ',
  policyHeader: 'cdn-cache-control',
  hasSoftPurge: false,
})

/** For all other systems: the operator's own receiver, which verifies the signature as for webhooks. */
const signed: Purger = {
  name: 'signed',
  tagHeaders: ['x-mortise-tags'],
  tagSeparator: ',',
  policyHeader: 'cdn-cache-control',
  needs: ['url', 'token'],
  maxTags: 100,
  callsPerMinute: 600,
  hasSoftPurge: true,
  call({ tags, position, isHard }, { url, token }) {
    const body = JSON.stringify({ tags, position, hard: isHard })
    const signature = signatureOf(Buffer.from(body), token)
    return { method: 'POST', url, headers: { 'content-type': json, 'x-webhook-signature': signature }, body }
  },
}

/** The purgers of this plugin. */
export const corePurgers: readonly Purger[] = [fastly, cloudflare, varnish, souin, signed]

function baseOf(url: string, usual: string): string {
  return url === '' ? usual : url.replace(/\/+$/, '')
}

function bearer(token: string): Record<string, string> {
  return token === '' ? {} : { authorization: `Bearer ${token}` }
}
