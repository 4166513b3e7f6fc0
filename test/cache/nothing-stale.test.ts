import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { createRandomWrites, randomFrom, reads } from './random-writes.ts'
import { type CacheWorld, comparable, startCacheWorld, statusOf } from './world.ts'

/**
 * Writes, after each of which a share of all answers is compared; more find more. What changes do is the same on all
 * databases.
 */
const roundsOn = (database: string) => Number(process.env.CACHE_ROUNDS ?? (database === 'sqlite' ? 40 : 12))
const seed = Number(process.env.CACHE_SEED ?? 20_261_123)
/** How much of what callers read is read again after each write: most see what one of the first ones sees. */
const shares: Readonly<Record<string, number>> = { anonymous: 0.4, drafts: 0.4, editor: 0.2 }
const smallShare = 0.08

/** What a caller reads, in each process: two that keep answers, and one that keeps none. */
interface Reading {
  readonly name: string
  readonly path: string
  readonly cached: readonly [Client, Client]
  readonly plain: Client
}

function readingsOf({ cached, plain, callers }: CacheWorld): readonly Reading[] {
  const [first, second, uncached] = [callers(cached[0].url), callers(cached[1].url), callers(plain.url)]
  return [...uncached].flatMap(([name, client]) =>
    reads.map((path) => ({
      name,
      path,
      cached: [first.get(name) as Client, second.get(name) as Client] as const,
      plain: client,
    })),
  )
}

eachDatabase(({ name }) => {
  let world: CacheWorld

  before(async () => {
    world = await startCacheWorld(name, { SVC_CACHE_MAX_STALENESS_MS: '0' })
  })
  after(() => world.stop())

  it(
    'what is answered from memory is what the database says, after writes of every kind in any process',
    slow,
    async () => {
      const random = randomFrom(seed)
      const { cached, plain } = world
      const writes = createRandomWrites(
        random,
        [...cached, plain].map(({ admin }) => admin),
      )
      const counts = new Map<string, number>()
      const done: string[] = []

      async function check({ name: caller, path, cached: [first, second], plain: uncached }: Reading) {
        const client = random() < 0.5 ? first : second
        const startedMs = Date.now()
        const answer = await client.get(path)
        counts.set(statusOf(answer), (counts.get(statusOf(answer)) ?? 0) + 1)
        const [told, expected] = [comparable(answer), comparable(await uncached.get(path))]
        // A time may have come in between.
        if (told === expected || writes.flippedSince(startedMs)) return
        const last = done.slice(-12).join('\n')
        assert.equal(
          told,
          expected,
          `${path} as ${caller} (${statusOf(answer)}), seed ${seed}, after\n${last}`,
        )
      }

      await writes.fill()
      const readings = readingsOf(world)
      for (let round = 0; round < roundsOn(name); round++) {
        for (const reading of readings)
          if (random() < (shares[reading.name] ?? smallShare)) await check(reading)
        done.push(await writes.next())
      }
      assert.ok(
        (counts.get('hit') ?? 0) > roundsOn(name),
        `too few answers came from memory: ${JSON.stringify([...counts])}`,
      )
    },
  )
})
