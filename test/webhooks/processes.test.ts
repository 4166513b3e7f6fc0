import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { type Receiver, withStatus } from './receiver.ts'
import { dataOf, hasty, logged, logsOf, schemas, withReceiver } from './webhooks-world.ts'

const writersAtOnce = 6
const writesBeforeTheEnd = 120

/** A lease that a killed process leaves behind runs out soon. */
const env = { ...hasty, SVC_JOBS_LEASE_MS: '1500', SVC_JOBS_POLL_INTERVAL_MS: '100' }

const newWebhook = (url: string) => ({ name: 'mine', url, events: ['entry.create', 'entry.update'] })

/** Creates a note and changes it, again and again, until the service is gone; answers what was acknowledged. */
async function writeUntilTheEnd(client: Client, onWrite: () => void): Promise<string[]> {
  const acknowledged: string[] = []
  const acknowledge = ({ id, text }: { id: number; text: string }) => {
    acknowledged.push(`${id} ${text}`)
    onWrite()
  }
  try {
    for (;;) {
      const created = await client.post('/api/content/note', { text: 'new' })
      acknowledge(dataOf(created, 201))
      const changed = await client.put(`/api/content/note/${created.body.data.id}`, { text: 'changed' })
      acknowledge(dataOf(changed))
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return acknowledged
  }
}

const toldBy = ({ received }: Receiver) =>
  received.map(({ body }) => `${body.data.entry.id} ${body.data.entry.text}`)

eachDatabase((database) => {
  it('tells of every acknowledged change, in order, also when the process is killed right after', slow, () =>
    withReceiver((receiver) =>
      withProject({ database: database.name, schemas, env }, async (project) => {
        const killed = startProcess({ project })
        const admin = await killed.signIn()
        const { id } = dataOf(await admin.post('/api/webhooks', newWebhook(receiver.url)), 201)
        let writes = 0
        const onWrite = () => {
          writes++
          if (writes === writesBeforeTheEnd) killed.process.kill('SIGKILL')
        }
        const writers = Array.from({ length: writersAtOnce }, () => writeUntilTheEnd(admin, onWrite))
        const acknowledged = (await Promise.all(writers)).flat()
        await killed.exited
        assert.ok(acknowledged.length >= writesBeforeTheEnd)

        const service = startProcess({ project })
        const again = await service.signIn()
        await settled(again, id)
        const told = toldBy(receiver)
        assert.deepEqual(
          acknowledged.filter((change) => !told.includes(change)),
          [],
          'acknowledged and not told',
        )
        for (const entry of new Set(told.map((change) => change.split(' ')[0]))) {
          const texts = told
            .filter((change) => change.startsWith(`${entry} `))
            .map((change) => change.split(' ')[1])
          assert.deepEqual(texts, texts.toSorted().toReversed(), `in order, if perhaps twice: ${texts}`)
        }
        const stats = dataOf(await again.get(`/api/webhooks/${id}/stats`))
        assert.deepEqual([stats.pending, stats.dead], [0, 0])
        assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
      }),
    ),
  )

  it('goes on with its attempts after a restart', slow, () =>
    withReceiver(
      (receiver) =>
        withProject({ database: database.name, schemas, env }, async (project) => {
          const first = startProcess({ project, env: { SVC_WEBHOOKS_RETRY_DELAYS: '[1500,10,10,10]' } })
          const admin = await first.signIn()
          const { id } = dataOf(await admin.post('/api/webhooks', newWebhook(receiver.url)), 201)
          dataOf(await admin.post('/api/content/note', { text: 'unlucky' }), 201)
          await logged(admin, id, 'retrying')
          assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null })
          const second = startProcess({ project })
          const [dead] = await logged(await second.signIn(), id, 'dead')
          assert.deepEqual([dead.attempt, receiver.received.length], [5, 5])
          await second.end('SIGTERM')
        }),
      withStatus(500),
    ),
  )

  it('knows in every process of webhooks that another one has made, and takes turns', slow, () =>
    withReceiver((receiver) =>
      withProject({ database: database.name, schemas, env }, async (project) => {
        const processes = [startProcess({ project }), startProcess({ project })]
        const [first, second] = (await Promise.all(processes.map((each) => each.signIn()))) as [
          Client,
          Client,
        ]
        const { id } = dataOf(await first.post('/api/webhooks', newWebhook(receiver.url)), 201)
        await knows(second, id)
        const before = receiver.received.length
        const { id: note } = dataOf(await first.post('/api/content/note', { text: '0' }), 201)
        for (let count = 1; count <= 20; count++) {
          const client = count % 2 === 0 ? first : second
          dataOf(await client.put(`/api/content/note/${note}`, { text: String(count) }))
        }
        await receiver.gets(before + 21)
        const texts = receiver.received.slice(before).map(({ body }) => body.data.entry.text)
        assert.deepEqual(
          texts,
          Array.from({ length: 21 }, (_, count) => String(count)),
        )
        await Promise.all(processes.map((each) => each.end('SIGTERM')))
      }),
    ),
  )
})

/** Waits until nothing of a webhook is to be delivered any more. */
async function settled(admin: Client, id: number): Promise<void> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const { pending } = dataOf(await admin.get(`/api/webhooks/${id}/stats`))
    if (pending === 0) return
    assert.ok(performance.now() < deadline, `${pending} deliveries are still to be made`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Writes until a process tells the webhook of it. */
async function knows(client: Client, id: number): Promise<void> {
  const deadline = performance.now() + 5_000
  for (;;) {
    dataOf(await client.post('/api/content/note', { text: 'do you know?' }), 201)
    const logs = await logsOf(client, id)
    if (logs.length > 0) return settled(client, id)
    assert.ok(performance.now() < deadline, 'the other process does not know of the webhook')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
