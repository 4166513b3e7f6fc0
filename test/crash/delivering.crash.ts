import assert from 'node:assert/strict'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import { createNoteJournal, noteSchemas } from './note-journal.ts'
import { expectDelivered, startNoteReceiver, subscribe } from './note-receiver.ts'
import {
  checkJobsOfDeliveries,
  checkNothingRuns,
  storedDeliveries,
  storedJobs,
  storedNotes,
} from './remains.ts'

const env = { SVC_WEBHOOKS_RETRY_DELAYS: '[10, 10, 10, 10]' }

async function createScenario(world: CrashWorld, { client }: Running): Promise<Scenario> {
  const journal = createNoteJournal()
  const receivers = [await startNoteReceiver(world.random, 0), await startNoteReceiver(world.random, 0.1)]
  const webhooks = await subscribe(client, receivers)

  return {
    clients: 3,
    work: journal.work,
    async check([first]) {
      await world.look(async (database) => {
        // Jobs first: whoever goes on delivering ends the delivery before its job.
        const jobs = await storedJobs(database)
        checkJobsOfDeliveries(jobs, await storedDeliveries(database))
      })
      await eventually(() => expectDelivered((first as Running).client, webhooks))
      await world.look(async (database) => {
        const notes = await storedNotes(database)
        for (const receiver of receivers) {
          const told = receiver.told()
          journal.check(told)
          assert.deepEqual(notes, journal.left(told), 'the notes are as was told')
        }
        checkNothingRuns(await storedJobs(database))
      })
    },
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()))
    },
  }
}

crashTest('delivering', { project: { schemas: noteSchemas, env }, create: createScenario })
