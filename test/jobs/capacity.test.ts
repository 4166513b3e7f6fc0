import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { type Capacity, createCapacity } from '../../core-plugins/background/jobs/capacity.ts'
import type { JobKind } from '../../core-plugins/background/jobs/jobs.ts'
import { createKinds } from '../../core-plugins/background/jobs/kinds.ts'
import { testKind } from './jobs-world.ts'

const kinds = createKinds(() =>
  [
    testKind('test.plain'),
    testKind('test.other'),
    testKind('test.own', { concurrency: 4, laneConcurrency: 2 }),
    testKind('test.single', { concurrency: 1 }),
  ].map(({ kind }) => kind as JobKind),
)

const jobOf = (name: string, lane: string | null = null, deaths: number | null = null) => ({
  name,
  lane,
  deaths,
})

const plain = jobOf('test.plain')
const other = jobOf('test.other')
const single = jobOf('test.single')
const inLane = (lane: string) => jobOf('test.own', lane)
const suspect = jobOf('test.own', null, 2)

describe('what a process has room for', () => {
  let capacity: Capacity
  beforeEach(() => {
    capacity = createCapacity(kinds, 2)
  })

  const admitted = (jobs: readonly ReturnType<typeof jobOf>[]) => jobs.map(capacity.admission())

  it('is shared by the kinds that have no limit of their own', () => {
    assert.deepEqual(capacity.openKinds(), kinds.names)
    assert.equal(capacity.free(), 2 + 4 + 1)
    capacity.occupy(plain)
    assert.deepEqual(capacity.fullKinds(), [])
    assert.equal(capacity.free(), 1 + 4 + 1)
    capacity.occupy(other)
    assert.deepEqual(capacity.fullKinds(), ['test.plain', 'test.other'])
    assert.deepEqual(capacity.openKinds(), ['test.own', 'test.single'])
    assert.equal(capacity.free(), 0 + 4 + 1)
    capacity.vacate(plain)
    assert.deepEqual(capacity.openKinds(), kinds.names)
  })

  it('is counted apart for the others', () => {
    capacity.occupy(single)
    assert.deepEqual(capacity.fullKinds(), ['test.single'])
    assert.equal(capacity.free(), 2 + 4 + 0)
    capacity.vacate(single)
    assert.deepEqual(capacity.fullKinds(), [])
  })

  it('counts those that it has said yes to, too', () => {
    capacity.occupy(plain)
    assert.deepEqual(admitted([other, plain, single, single, inLane('a')]), [true, false, true, false, true])
    // A new check starts from what runs.
    assert.deepEqual(admitted([other, plain]), [true, false])
  })

  it('is never less than nothing', () => {
    for (let count = 0; count < 3; count++) capacity.occupy(single)
    assert.equal(capacity.free(), 2 + 4 + 0)
  })

  it('is limited for each lane', () => {
    assert.deepEqual(capacity.fullLanes(), [])
    capacity.occupy(inLane('a'))
    assert.deepEqual(capacity.fullLanes(), [])
    assert.deepEqual(admitted([inLane('a'), inLane('a'), inLane('b'), jobOf('test.own')]), [
      true,
      false,
      true,
      true,
    ])
    capacity.occupy(inLane('a'))
    capacity.occupy(inLane('b'))
    assert.deepEqual(capacity.fullLanes(), ['a'])
    assert.deepEqual(admitted([inLane('a'), inLane('b')]), [false, true])
    capacity.vacate(inLane('a'))
    assert.deepEqual(capacity.fullLanes(), [])
    assert.deepEqual(admitted([inLane('a')]), [true])
  })

  it('is not limited in lanes of kinds that set no limit', () => {
    for (let count = 0; count < 2; count++) capacity.occupy(jobOf('test.plain', 'z'))
    assert.deepEqual(capacity.fullLanes(), [])
  })

  it('is for one job at a time of those that processes have died in', () => {
    const [died, innocent] = [jobOf('test.own', null, 1), jobOf('test.own')]
    assert.deepEqual(admitted([suspect, suspect, died, innocent]), [true, false, true, true])
    assert.ok(capacity.mostDeaths() >= 1000)
    capacity.occupy(died)
    assert.ok(capacity.mostDeaths() >= 1000)
    capacity.occupy(suspect)
    assert.equal(capacity.mostDeaths(), 1)
    assert.deepEqual(admitted([suspect, died]), [false, true])
    capacity.vacate(suspect)
    assert.ok(capacity.mostDeaths() >= 1000)
    assert.deepEqual(admitted([suspect]), [true])
  })
})
