import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectStatus, newAdmin } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { openStream } from './open-stream.ts'

it('without the change log, panels are told everything but writes of content', slow, async (test) => {
  const service = await startService({ env: { SVC_PLUGINS_DISABLED: 'changes,cache,cdn,change-feed,live' } })
  test.after(() => service.stop())
  const ada = await newAdmin(service, 'editor')
  const stream = await openStream(service.url, ada.token)
  const made = await service.admin.post('/api/content/article', { title: 'One', slug: 'one' })
  const { id } = expectStatus(made, 201).body.data
  const comment = { body: 'Look', mentions: [ada.id] }
  expectStatus(await service.admin.post(`/api/content/article/${id}/comments`, comment), 201)
  await stream.told('discussion', (data) => data.id === id)
  await stream.told('inbox')
  assert.deepEqual(
    stream.events.filter(({ event }) => event === 'entry'),
    [],
  )
  await stream.close()
})
