import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import type { Told } from './note-journal.ts'
import type { Random } from './random.ts'
import { changeOf, expectNoJobs } from './remains.ts'

export interface NoteReceiver {
  readonly url: string
  /** What it has accepted. @throws AssertionError if something came before its turn */
  told(): Told
  close(): Promise<void>
}

interface Arrival {
  readonly uid: string
  readonly name: string
  readonly change: string
  readonly isAccepted: boolean
}

const longestAnswerMs = 30

/** A receiver that takes its time, and refuses one in so many deliveries the first time. */
export async function startNoteReceiver(random: Random, refusals: number): Promise<NoteReceiver> {
  const arrivals: Arrival[] = []
  const refused = new Set<string>()

  const receiver = await startReceiver(async ({ headers, body }, response) => {
    const uid = String(headers['x-webhook-id'])
    const isAccepted = refused.has(uid) || !random.chance(refusals)
    if (!isAccepted) refused.add(uid)
    const { name, version } = body.data.entry
    arrivals.push({ uid, name, change: changeOf(body.event, version), isAccepted })
    await delay(random.below(longestAnswerMs))
    response.writeHead(isAccepted ? 204 : 503).end()
  })

  return {
    url: receiver.url,
    told() {
      const told = new Map<string, string[]>()
      const open = new Map<string, string>()
      const accepted = new Set<string>()
      for (const { uid, name, change, isAccepted } of arrivals) {
        if (accepted.has(uid)) continue
        const waiting = open.get(name)
        assert.ok(waiting === undefined || waiting === uid, `${name} was told of ${change} before its turn`)
        open.set(name, uid)
        if (!isAccepted) continue
        accepted.add(uid)
        open.delete(name)
        told.set(name, [...(told.get(name) ?? []), change])
      }
      return told
    },
    close: () => receiver.close(),
  }
}

const events = ['entry.create', 'entry.update', 'entry.delete']

/** Makes a webhook for each receiver; answers their ids. */
export async function subscribe(client: Client, receivers: readonly NoteReceiver[]): Promise<number[]> {
  const ids: number[] = []
  for (const { url } of receivers) {
    const { status, body } = await client.post('/api/webhooks', { name: 'a receiver', url, events })
    assert.equal(status, 201)
    ids.push(body.data.id)
  }
  return ids
}

/** @throws AssertionError while anything is still to be delivered */
export async function expectDelivered(client: Client, webhooks: readonly number[]): Promise<void> {
  for (const id of webhooks) {
    const { pending, dead } = (await client.get(`/api/webhooks/${id}/stats`)).body.data
    assert.deepEqual([pending, dead], [0, 0], 'deliveries that are still to be made, and dead ones')
  }
  await expectNoJobs(client)
}
