import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { commandLine } from '../support/script.ts'
import { crashTimeoutMs, createWorld } from './crash-test.ts'
import { seed } from './kill-plan.ts'
import { createRandom } from './random.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      text: { type: 'string' },
      picture: { type: 'media' },
      next: { type: 'relation', relation: 'manyToOne', target: 'note' },
    },
  },
}

const rounds = 3
/** Of each round; so many notes that most kills meet the transaction. */
const notes = 150
const pictures = 2
/** Longer than applying them takes on a busy machine is of no use. */
const maxDelayMs = 2_500

interface Stored {
  readonly notes: number
  readonly linked: number
  readonly files: number
  readonly roles: number
  readonly agreements: number
}

/** What is here after some rounds. */
const after = (count: number): Stored => ({
  ...{ notes: count * notes, linked: count * notes, files: count * pictures, roles: count },
  agreements: count * (notes + pictures + 1),
})

eachDatabase(({ name }) => {
  const random = createRandom(`${seed} pulling ${name}`)
  it(`pulling, killed ${rounds} times`, { timeout: crashTimeoutMs }, async () => {
    const source = await startMediaService({ schemas })
    try {
      await withProject({ database: name, schemas }, async (project) => {
        assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
        await pullAndDie(source, project, random)
      })
    } finally {
      await source.stop()
    }
  })

  async function pullAndDie(source: MediaService, project: Project, { below }: typeof random) {
    const world = createWorld(project, name, random)
    const { body } = await source.admin.post('/api/admin/api-tokens', { name: 'pull', scopes: ['admin:*'] })
    const asked = { ...project, env: { ...project.env, MORTISE_TRANSFER_TOKEN: body.data.token } }
    const selection = ['--only', 'content,media,roles']
    let applied = 0
    for (let round = 1; round <= rounds; round++) {
      await addRound(source, round)
      await killedPull(asked, [source.url, ...selection], below(maxDelayMs))
      const found = await world.look(stored)
      const wholes = Array.from({ length: round - applied + 1 }, (_, more) => applied + more)
      const whole = wholes.find((count) => found.notes === after(count).notes)
      assert.notEqual(whole, undefined, `${found.notes} notes after ${round} rounds`)
      assert.deepEqual(found, after(whole ?? 0))
      applied = whole ?? 0
    }
    const pull = await runCommand(asked, ['transfer', 'pull', source.url, ...selection, '--yes'])
    assert.equal(pull.code, 0, pull.stderr)
    assert.deepEqual(await world.look(stored), after(rounds))
    const diff = await runCommand(asked, ['transfer', 'diff', source.url, ...selection, '--json'])
    for (const { section, differences } of JSON.parse(diff.stdout).sections)
      assert.deepEqual(differences, [], section)
  }
})

/** A circle of notes with files, and a role. */
async function addRound(source: MediaService, round: number): Promise<void> {
  const files: number[] = []
  for (let index = 0; index < pictures; index++) {
    files.push((await source.add(`file ${round} ${index}`, `file-${round}-${index}.txt`)).id)
  }
  const data = Array.from({ length: notes }, (_, index) => ({
    ...{ text: `note ${round} ${index}`, picture: files[index % pictures] },
  }))
  const made = expectStatus(await source.admin.post('/api/content/note/bulk-create', data), 201)
  const ids = made.body.data.ids as number[]
  for (const [index, id] of ids.entries()) {
    const next = ids[(index + 1) % ids.length]
    expectStatus(await source.admin.put(`/api/content/note/${id}`, { next }), 200)
  }
  expectStatus(await source.admin.post('/api/admin/roles', { name: `crash-${round}` }), 201)
}

/** Pulls in a process of its own, which is killed some time after it has told the difference. */
async function killedPull(project: Project, args: readonly string[], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [commandLine, 'transfer', 'pull', ...args, '--yes'], {
    cwd: project.workingDirectory,
    env: { PATH: process.env.PATH, ...project.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  const told = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('missing there')) resolve()
      })
    }
  })
  await Promise.race([told, exited])
  assert.match(output, /missing there/)
  await Promise.race([delay(afterMs), exited])
  child.kill('SIGKILL')
  await exited
}

async function stored(database: Driver): Promise<Stored> {
  const count = async (text: ReturnType<typeof sql>) => {
    const statement = database.prepare<{ count: number }>(text, { count: 'integer' })
    return (await database.get(statement))?.count ?? 0
  }
  return {
    notes: await count(sql`select count(*) as count from content_note`),
    linked: await count(sql`select count(*) as count from content_note
      join svc_media on svc_media.id = picture_id where next_id is not null`),
    files: await count(sql`select count(*) as count from svc_media`),
    roles: await count(sql`select count(*) as count from svc_roles where name like 'crash-%'`),
    agreements: await count(sql`select count(*) as count from svc_transfer_agreements
      where section in ('content:note', 'media') or item_key like 'crash-%'`),
  }
}
