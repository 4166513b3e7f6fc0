import assert from 'node:assert/strict'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import { createNoteJournal, noteSchemas, type Told } from './note-journal.ts'
import { expectDelivered, startNoteReceiver, subscribe } from './note-receiver.ts'
import {
  checkJobsOfDeliveries,
  checkNothingRuns,
  type StoredDelivery,
  storedDeliveries,
  storedJobs,
  storedNotes,
} from './remains.ts'

/** The processes that die answer requests only, so that what they leave can be looked at before anybody takes it up. */
const env = { SVC_ROLE: 'web' }
async function createScenario(world: CrashWorld, { client }: Running): Promise<Scenario> {
  const journal = createNoteJournal()
  const receivers = [await startNoteReceiver(world.random, 0), await startNoteReceiver(world.random, 0)]
  const webhooks = await subscribe(client, receivers)

  async function check(): Promise<void> {
    await world.look(async (database) => {
      const deliveries = await storedDeliveries(database)
      const notes = await storedNotes(database)
      for (const webhook of webhooks) {
        const told = toldTo(webhook, deliveries)
        journal.check(told)
        assert.deepEqual(notes, journal.left(told), 'the notes are as was told')
      }
      checkJobsOfDeliveries(await storedJobs(database), deliveries)
    })
  }

  return {
    clients: 3,
    work: journal.work,
    check,
    async finish() {
      const worker = await world.start({ SVC_ROLE: 'all' })
      await eventually(() => expectDelivered(worker.client, webhooks))
      for (const receiver of receivers) journal.check(receiver.told())
      await world.look(async (database) => checkNothingRuns(await storedJobs(database)))
    },
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()))
    },
  }
}

function toldTo(webhook: number, deliveries: readonly StoredDelivery[]): Told {
  const told = new Map<string, string[]>()
  for (const { name, change, webhookId } of deliveries) {
    if (webhookId === webhook) told.set(name, [...(told.get(name) ?? []), change])
  }
  return told
}

crashTest('enqueueing', { project: { schemas: noteSchemas, env }, create: createScenario })
