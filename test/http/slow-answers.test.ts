import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { defineRoute, routes } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { adapters } from '../support/adapters.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'

/** Longer than the servers wait for a client that sends nothing. */
const thinkingMs = 13_000

const thinker = definePlugin({
  name: 'thinker',
  description: 'Reads slowly, and thinks before it answers',
  register({ contribute }) {
    contribute(
      routes,
      defineRoute({
        name: 'thinker:bodies.weigh',
        method: 'POST',
        path: '/weigh',
        summary: 'Weigh a body',
        access: 'open',
        bodyMode: 'stream',
        maxBodyBytes: 10_000_000,
        async handler({ stream }) {
          let size = 0
          for await (const chunk of stream) {
            size += chunk.length
            // Slower than the body comes, so that the connection is paused again and again.
            await new Promise(setImmediate)
          }
          await setTimeout(thinkingMs)
          return { size }
        },
      }),
    )
  },
})

for (const adapter of adapters) {
  describe(`an answer that takes its time on ${adapter}`, slow, () => {
    it('still reaches whoever sent a large body', async () => {
      const service = await startService({ adapter, plugins: [thinker] })
      const body = new Uint8Array(5_000_000)
      const chunks = async function* () {
        for (let sent = 0; sent < body.length; sent += 100_000) yield body.subarray(sent, sent + 100_000)
      }
      const send = async (init: object) => {
        const response = await fetch(`${service.url}/api/weigh`, { method: 'POST', ...init })
        return response.json()
      }
      const answers = await Promise.all([send({ body }), send({ body: chunks(), duplex: 'half' })])
      const expected = { success: true, data: { size: body.length } }
      assert.deepEqual(answers, [expected, expected])
      await service.stop()
    })
  })
}
