import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus, newNames } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'

/** Links to admin users, by the settings that say where the service is. */
const links: readonly [string, Record<string, string>][] = [
  ['https://example.org/cms', { SVC_SITE_PANEL_URL: 'https://example.org/cms/' }],
  ['https://example.org/cms', { SVC_SITE_PANEL_URL: 'https://example.org/cms' }],
  ['https://example.org/cms', { SVC_SITE_PANEL_URL: 'https://example.org/cms/admin/' }],
  ['https://example.org', { SVC_SITE_PANEL_URL: 'https://example.org/admin' }],
  ['https://example.org:8443', { SVC_SITE_PANEL_URL: 'https://example.org:8443/?x=1#y' }],
  ['https://example.org/a/b', { SVC_SITE_URL: 'https://example.org/a/b//' }],
  [
    'https://panel.example.org',
    { SVC_SITE_URL: 'https://example.org/a', SVC_SITE_PANEL_URL: 'https://panel.example.org' },
  ],
  ['', {}],
]

describe('a link to an admin user', () => {
  for (const [address, env] of links) {
    it(`begins with ${address || 'its path'} for ${JSON.stringify(env)}`, slow, async () => {
      const service = await startService({ env })
      try {
        const person = { ...newNames(), role: 'editor' }
        const answer = expectStatus(await service.admin.post('/api/admin/users/invitations', person), 201)
        const { link } = answer.body.data.invitation
        assert.equal(link.split('#')[0], `${address}/admin/sign-in`)
      } finally {
        await service.stop()
      }
    })
  }
})
