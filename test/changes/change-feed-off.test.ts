import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'

describe('the change feed', () => {
  for (const [plugin, lost] of [
    ['change-feed', 404],
    ['media', 200],
  ] as const) {
    it(`without the plugin ${plugin}`, async (test) => {
      const service = await startService({ env: { SVC_PLUGINS_DISABLED: plugin } })
      test.after(() => service.stop())
      for (const path of ['/api/changes', '/api/changes/snapshot']) {
        expectStatus(await service.admin.get(path), lost)
      }
      if (lost === 200) expectStatus(await service.admin.get('/api/changes?types=media'), 400)
    })
  }

  it('is in the API document', slow, async (test) => {
    const service = await startService()
    test.after(() => service.stop())
    const { paths } = expectStatus(await service.admin.get('/api/_docs/openapi.json'), 200).body
    assert.ok(paths['/changes'] ?? paths['/api/changes'])
    assert.ok(paths['/changes/snapshot'] ?? paths['/api/changes/snapshot'])
  })
})
