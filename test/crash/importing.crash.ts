import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { commandLine } from '../support/script.ts'
import { until } from '../support/until.ts'
import { seed } from './kill-plan.ts'
import { createRandom } from './random.ts'

const kills = Math.ceil(Number(process.env.CRASH_KILLS || 9) / 3)

/** Several transactions for each kill. */
const records = 1_000 * (kills + 2)
/** What the next one of the last records is: so far ahead that it waits for another transaction. */
const ahead = 700

const schemas = {
  'visit.json': {
    kind: 'collectionType',
    info: { singularName: 'visit', pluralName: 'visits', displayName: 'Visit' },
    options: { draftAndPublish: true },
    attributes: {
      code: { type: 'string', unique: true },
      next: { type: 'relation', relation: 'manyToOne', target: 'visit' },
    },
  },
}

const codeOf = (index: number) => `v${index}`
const nextOf = (index: number) => codeOf((index + ahead) % records)

/** `mortise content import` as a process of its own: without `--match`, what is brought in twice is refused. */
function startImport({ workingDirectory, env }: Project): ChildProcess {
  const command = ['content', 'import', 'visits.ndjson', '--type', 'visit', '--resume', '--json']
  return spawn(process.execPath, [commandLine, ...command], {
    cwd: workingDirectory,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function totalIn(admin: Client): Promise<number> {
  const { body } = await admin.get('/api/content/visit?limit=1')
  return body.pagination.total
}

/** Kills the import while it stores records. */
async function killMidway(child: ChildProcess, admin: Client, pause: number): Promise<void> {
  const before = await totalIn(admin)
  const hasStored = async () => child.exitCode !== null || (await totalIn(admin)) > before
  await until(hasStored)
  await Promise.race([delay(pause), once(child, 'exit')])
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function reportOf(child: ChildProcess): Promise<{ records: number; problems: unknown[] }> {
  const texts = { out: '', errors: '' }
  child.stdout?.on('data', (piece) => {
    texts.out += piece
  })
  child.stderr?.on('data', (piece) => {
    texts.errors += piece
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, texts.errors + texts.out)
  return JSON.parse(texts.out)
}

/** Each record is there once, published, and refers to the one that its record names. */
async function assertAllThere(admin: Client): Promise<void> {
  const found = new Map<string, string | undefined>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `sort=id&limit=100&populate[next][fields]=code&published=true&cursor=${cursor}`
    const { status, body } = await admin.get(`/api/content/visit?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    for (const { code, next } of body.data) found.set(code, next?.code)
    cursor = body.pagination.nextCursor ?? null
  }
  assert.equal(await totalIn(admin), records)
  assert.equal(found.size, records)
  for (let index = 0; index < records; index++) assert.equal(found.get(codeOf(index)), nextOf(index))
}

eachDatabase((database) => {
  it('an import that was killed goes on, and brings nothing in twice', () =>
    withProject({ database: database.name, schemas }, async (project) => {
      const random = createRandom(`${seed} ${database.name}`)
      const lines = Array.from({ length: records }, (_, index) =>
        JSON.stringify({
          code: codeOf(index),
          next: { code: nextOf(index) },
          published_at: '2026-01-31T08:00:00.000Z',
        }),
      )
      await writeFile(join(project.workingDirectory, 'visits.ndjson'), `${lines.join('\n')}\n`)
      const admin = await startProcess({ project }).signIn()
      for (let kill = 0; kill < kills; kill++) {
        await killMidway(startImport(project), admin, random.below(300))
      }
      const report = await reportOf(startImport(project))
      assert.deepEqual(report.problems, [])
      await assertAllThere(admin)
    }))
})
