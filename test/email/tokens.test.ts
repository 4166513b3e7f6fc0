import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { newAdmin, newNames, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { createClient, expectStatus } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { createProject, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

const tokens = /(?:#reset=|#invitation=|\?token=)([\w-]{20,})/g

/** Long enough to be no accident, and what is left of a token that was cut. */
const partLength = 10

const partsOf = (token: string) =>
  Array.from({ length: token.length - partLength + 1 }, (_, at) => token.slice(at, at + partLength))

/** Everything that administrators, operators and other services can see. */
const places = [
  '/api/admin/jobs?limit=100',
  '/api/admin/jobs?limit=100&status=failed',
  '/api/admin/jobs/stats',
  '/api/admin/operational-alerts?limit=100',
  '/api/admin/audit-logs?limit=100',
  '/api/admin/backups?limit=100',
  '/api/admin/metrics/summary',
  '/api/admin/users?limit=100',
  '/api/admin/content-users?limit=100',
  '/api/admin/config',
  '/api/admin/config/export',
  '/api/webhooks/events',
  '/api/_docs/openapi.json',
  '/api/metrics',
]

/** The tokens of links stand in the mail, and in the row of a mail that waits, and nowhere else. */
describe('tokens of resets and invitations', slow, () => {
  let server: MailServer
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let project: Project
  let service: ServiceProcess
  let url: string
  let admin: Client

  before(async () => {
    server = await startMailServer({ isOpen: true })
    receiver = await startReceiver()
    project = await createProject({
      env: {
        LOG_LEVEL: 'debug',
        SVC_EMAIL_HOST: '127.0.0.1',
        SVC_EMAIL_PORT: String(server.port),
        SVC_EMAIL_FROM: 'cms@example.com',
        SVC_SITE_URL: 'https://www.example.com',
      },
    })
    service = startProcess({ project })
    admin = await service.signIn()
    url = await service.ready()
    const { events } = expectStatus(await admin.get('/api/webhooks/events'), 200).body.data
    const names = [
      'entry.create',
      'entry.update',
      ...(events ?? []).map(({ name }: { name: string }) => name),
    ]
    expectStatus(
      await admin.post('/api/webhooks', { name: 'all', url: receiver.url, events: [...new Set(names)] }),
      201,
    )
  })
  after(async () => {
    await service?.end('SIGTERM')
    await project?.remove()
    await receiver?.close()
    await server?.close()
  })

  /** Asks for a link of each kind. */
  async function askForAll(): Promise<void> {
    const signingIn = { url, admin, post: createClient(url).post }
    const [user, editor] = [await newUser(signingIn), await newAdmin(signingIn, 'editor')]
    const open = createClient(url)
    expectStatus(await open.post('/api/auth/forgot-password', { email: user.email }), 200)
    expectStatus(await open.post('/api/admin/auth/forgot-password', { email: editor.email }), 200)
    expectStatus(await admin.post('/api/admin/users/invitations', { ...newNames(), role: 'editor' }), 201)
  }

  const tokensIn = (texts: readonly string[]) => [
    ...new Set(texts.flatMap((text) => [...text.matchAll(tokens)].map(([, token]) => token ?? ''))),
  ]

  /** The texts of mails that wait in the database. */
  function waiting(): string[] {
    const file = resolve(project.workingDirectory, String(project.env.DATABASE_URL).replace(/^sqlite:/, ''))
    const database = new Database(file, { readonly: true })
    try {
      return database
        .prepare<[], { text: string }>('select text from svc_emails')
        .all()
        .map(({ text }) => text)
    } finally {
      database.close()
    }
  }

  /** The jobs of the three newest mails, once each has failed with an error like this. */
  async function failing(error: RegExp): Promise<{ id: number; error: string }[]> {
    const newest = async () => (await admin.get('/api/admin/jobs?name=email.send&limit=3')).body.data
    await until(
      async () =>
        (await newest()).filter((job: { error: string | null }) => error.test(job.error ?? '')).length === 3,
    )
    return newest()
  }

  async function assertNowhere(secret: readonly string[]): Promise<void> {
    assert.equal(secret.length, 3)
    expectStatus(await admin.post('/api/admin/backups', { sections: { content: true, config: true } }), 201)
    const all = expectStatus(await admin.get('/api/admin/jobs?limit=100'), 200).body.data as { id: number }[]
    const seen: Record<string, string> = {
      log: service.output(),
      webhooks: JSON.stringify(receiver.received),
    }
    for (const place of [...places, ...all.map(({ id }) => `/api/admin/jobs/${id}`)]) {
      const answer = await admin.request('GET', place)
      assert.equal(answer.status, 200, place)
      seen[place] = JSON.stringify(answer.body)
    }
    const query = '{ __schema { types { name fields { name } } } }'
    seen.graphql = JSON.stringify((await admin.post('/api/graphql', { query })).body)
    for (const [place, text] of Object.entries(seen)) {
      for (const part of secret.flatMap(partsOf)) assert.ok(!text.includes(part), `${place} shows a token`)
    }
  }

  it('are nowhere else when the mail is sent', async () => {
    const before = server.mails.length
    await askForAll()
    const mails = await server.gets(before + 3)
    await until(async () => waiting().length === 0)
    await assertNowhere(tokensIn(mails.slice(before).map(({ source }) => source)))
  })

  for (const [what, code] of Object.entries({ 'for good': 554, 'for now': 451 })) {
    it(`are nowhere else when the server refuses the mail ${what} and quotes it`, async () => {
      const before = server.refusedTexts.length
      server.refusesTexts(code)
      await askForAll()
      const jobs = await failing(new RegExp(`${code}.*spam: https://www\\.example\\.com/.*…`))
      await assertNowhere(tokensIn(server.refusedTexts.slice(before)))
      server.refusesTexts(undefined)
      if (code === 554)
        for (const { id } of jobs) expectStatus(await admin.post(`/api/admin/jobs/${id}/retry`), 200)
      await until(async () => waiting().length === 0)
    })
  }

  it('are nowhere else when there is no server', async () => {
    const port = String(await freePort())
    await service.end('SIGTERM')
    service = startProcess({ project, env: { SVC_EMAIL_PORT: port } })
    admin = await service.signIn()
    url = await service.ready()
    await askForAll()
    await failing(/ECONNREFUSED/)
    await assertNowhere(tokensIn(waiting()))
  })
})
